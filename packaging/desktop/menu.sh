#!/bin/sh
# Puts dpdesk into the menu of one user, or takes it out again; an administrator is not needed.
#
#     sh menu.sh add [PROGRAM]
#     sh menu.sh remove [PROGRAM]
#
# PROGRAM is what the menu starts: a bundle of one file names itself; else that of this folder.
# dpdesk is then offered under "Open with" for tables and plans; it takes no kind of file over.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
program=${2:-$(dirname -- "$here")/dpdesk}
if [ $# -gt 1 ]; then what=file; else what=folder; fi
data=${XDG_DATA_HOME:-$HOME/.local/share}
entry=$data/applications/dpdesk.desktop
icons=$data/icons/hicolor

refresh() {
    # Without these programs the menu shows the change after the next login.
    if command -v update-desktop-database >/dev/null; then
        update-desktop-database -q "$data/applications" || true
    fi
    if command -v gtk-update-icon-cache >/dev/null; then
        gtk-update-icon-cache -q -t "$icons" || true
    fi
}

case ${1:-} in
add)
    case $program in
    *[\"\\\`\$%]*)
        echo "The name of this folder or file holds a sign that menus cannot name. Rename it." >&2
        exit 1
        ;;
    esac
    mkdir -p "$data/applications" "$icons/scalable/apps"
    while IFS= read -r line; do
        case $line in
        Exec=*) printf 'Exec="%s" %%f\n' "$program" ;;
        *) printf '%s\n' "$line" ;;
        esac
    done <"$here/dpdesk.desktop" >"$entry"
    cp "$here/dpdesk.svg" "$icons/scalable/apps/dpdesk.svg"
    for size in 16 24 32 48 64 128 256; do
        mkdir -p "$icons/${size}x$size/apps"
        cp "$here/dpdesk-$size.png" "$icons/${size}x$size/apps/dpdesk.png"
    done
    refresh
    echo "dpdesk is in the menu. If this $what is moved, add it again."
    ;;
remove)
    rm -f "$entry" "$icons/scalable/apps/dpdesk.svg"
    for size in 16 24 32 48 64 128 256; do
        rm -f "$icons/${size}x$size/apps/dpdesk.png"
    done
    refresh
    echo "dpdesk is out of the menu. Delete this $what to remove the program."
    echo "Your ledger of releases stays in $data/dpdesk: while it is there, what was released counts."
    echo "Settings stay in ${XDG_CONFIG_HOME:-$HOME/.config}/dpdesk."
    ;;
*)
    echo "Say what to do: sh menu.sh add, or sh menu.sh remove." >&2
    exit 2
    ;;
esac
