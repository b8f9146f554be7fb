#!/bin/sh
# dpdesk in one file: behind these lines lies a folder, compressed.
#
#     ./dpdesk-one-file [WORDS]          start dpdesk
#     ./dpdesk-one-file --menu add       enter it into the menu of one user
#     ./dpdesk-one-file --menu remove    take it out, and delete what was unpacked
#
# The first start unpacks the folder into the user's cache, under a name made from its content;
# every start runs what is there. An administrator is not needed.
set -u

content='@CONTENT@'
first=@FIRST@
lengths='@LENGTHS@'
megabytes=@MEGABYTES@

mask=$(umask)
me=$0
case $me in
/*) ;;
*) me=$PWD/$me ;;
esac
cache=${XDG_CACHE_HOME:-}
case $cache in
/*) ;;
*) cache=${HOME:+$HOME/.cache} ;;
esac
place=$cache/dpdesk-bundle
here=$place/$content
case $cache in
/*) ;;
*) place= ;;
esac
elsewhere='Name another folder in XDG_CACHE_HOME.'

tell() {
    printf 'dpdesk: %s\n' "$1" >&2
    # Who opened it from a desktop sees no terminal.
    if [ ! -t 2 ] && [ -n "${DBUS_SESSION_BUS_ADDRESS:-}" ] && command -v notify-send >/dev/null; then
        notify-send dpdesk "$1" 2>/dev/null || true
    fi
}

fail() {
    tell "$1"
    exit 4
}

# Whether a folder is this user's own, and no link, and nobody else may write into it: what lies
# there was put there by this user.
private() {
    [ -n "$(find "$1" -prune -type d -user "$(id -u)" ! -perm -020 ! -perm -002 2>/dev/null)" ]
}

# Whether nobody else can put another folder in its place: each folder above it is of this user or
# of root, and others may not write into it, or not move what is not theirs (the sticky bit). A
# group of this user's own name has no other member.
fixed() {
    # A number of no group.
    own=4294967295
    [ "$(id -gn)" = "$(id -un)" ] && own=$(id -g)
    root=$(stat -c %u / 2>/dev/null || echo 0)
    above=$(CDPATH='' cd -- "$1" 2>/dev/null && pwd -P) || return 1
    while [ "$above" != / ]; do
        above=$(dirname -- "$above")
        [ -n "$(find "$above" -prune \( -uid "$(id -u)" -o -uid "$root" \) \( -perm -1000 -o \
            ! -perm -002 \( ! -perm -020 -o -gid "$own" \) \) 2>/dev/null)" ] || return 1
    done
}

# Whether the folder is there, and from now on kept: whoever removes it asks for the lock, which
# lasts as long as this process and the program that it becomes.
keep() {
    [ -x "$here/dpdesk" ] && command exec 9<"$here/dpdesk" || return 1
    flock -s 9 2>/dev/null
    # It may have been removed while this waited.
    [ -x "$here/dpdesk" ]
}

ended() {
    for job in $jobs; do
        wait "$job" || : >"$new/failed"
    done
    jobs=
}

unpack() {
    at=$first
    for length in $lengths; do
        {
            { tail -c "+$at" "$me" 2>/dev/null | head -c "$length" | gzip -dc; } ||
                : >"$new/failed"
        } | tar -C "$new" -xmf - --no-same-owner --no-same-permissions &
        jobs="$jobs $!"
        # The first part is the folders: of two tars that make the same one at once, one fails.
        [ "$at" = "$first" ] && ended
        at=$((at + length))
    done
    ended
    # On the disk before it has its name: a machine that fails leaves all of it or none.
    [ ! -e "$new/failed" ] && { sync -f "$new" 2>/dev/null || sync; }
}

# Deletes every folder but one, or all if that is empty; one that runs is kept, as its lock tells.
remove_all_but() {
    for old in "$place"/*; do
        [ "$old" = "$1" ] && continue
        if [ -e "$old/dpdesk" ]; then
            (command exec 7<"$old/dpdesk" && flock -n 7 && mv "$old" "$place/.new-$$") 2>/dev/null
        else
            rm -rf "$old"
        fi
    done
    rm -rf "$place"/.new-*
}

# Waits until no other process installs or removes.
alone() {
    command exec 8<"$place" && flock 8 2>/dev/null
}

install() {
    mkdir -p "$place" 2>/dev/null
    private "$place" && fixed "$place" ||
        fail "$place must be a folder of yours that nobody else may write to or move. $elsewhere"
    # Of two first starts at once, the second waits and finds all done.
    alone
    keep && return
    rm -rf "$place"/.new-*
    jobs=
    new=$(mktemp -d "$place/.new-XXXXXX") || fail "$place cannot be written to. $elsewhere"
    trap 'rm -rf "$new"' EXIT
    trap 'kill $jobs 2>/dev/null; exit 130' HUP INT TERM
    tell "this first start unpacks $megabytes MB into $place; later ones are quicker."
    unpack || fail "It could not be unpacked: this file is damaged, or the disk is full. $elsewhere"
    [ -x "$new/dpdesk" ] || fail "Programs may not run from $place. $elsewhere"
    rm -rf "$here"
    mv -T "$new" "$here"
    remove_all_but "$here"
    trap - EXIT HUP INT TERM
    keep || fail "$here is gone already."
}

[ -n "$place" ] || fail "It is not known which folder is yours. $elsewhere"
umask 077
if ! { private "$place" && fixed "$place" && keep; }; then
    install
    exec 8<&-
fi
umask "$mask"

case ${1:-} in
--menu)
    program=$(CDPATH='' cd -- "$(dirname -- "$me")" && pwd -P)/$(basename -- "$me")
    sh "$here/menu/menu.sh" "${2:-}" "$program" || exit
    if [ "$2" = remove ]; then
        alone
        exec 9<&-
        remove_all_but ""
        rmdir "$place" || fail "dpdesk runs. Close it, and repeat this."
    fi
    ;;
*) exec "$here/dpdesk" "$@" ;;
esac
