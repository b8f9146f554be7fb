; Inno Setup's description of the installer for Windows, for one user and without an administrator.
; packaging/BUNDLES.md says how it is made. It is made on Windows from the folder dist\dpdesk.

#define Version GetStringFileInfo("..\..\dist\dpdesk\dpdesk.exe", "ProductVersion")

[Setup]
AppName=dpdesk
AppVersion={#Version}
AppId=dpdesk
DefaultDirName={userpf}\dpdesk
DefaultGroupName=dpdesk
PrivilegesRequired=lowest
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=dpdesk-setup
SetupIconFile=..\..\build\bundle\dpdesk\dpdesk.ico
UninstallDisplayIcon={app}\dpdesk-window.exe
Compression=lzma2
ChangesAssociations=yes

[Files]
Source: "..\..\dist\dpdesk\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{userprograms}\dpdesk"; Filename: "{app}\dpdesk-window.exe"

[Registry]
; Offered under "Open with"; no kind of file is taken over.
#define Program "Software\Classes\Applications\dpdesk-window.exe"
Root: HKCU; Subkey: "{#Program}"; ValueType: string; ValueName: "FriendlyAppName"; ValueData: "dpdesk"; Flags: uninsdeletekey
Root: HKCU; Subkey: "{#Program}\shell\open\command"; ValueType: string; ValueData: """{app}\dpdesk-window.exe"" ""%1"""
#dim Endings[25] {".arrow", ".asc", ".csv", ".dat", ".dta", ".feather", ".fwf", ".json", ".jsonl", ".ndjson", ".ods", ".parquet", ".por", ".pq", ".sas7bdat", ".sav", ".tab", ".tsv", ".txt", ".xls", ".xlsb", ".xlsm", ".xlsx", ".xpt", ".zsav"}
#define I
#sub Ending
Root: HKCU; Subkey: "{#Program}\SupportedTypes"; ValueType: string; ValueName: "{#Endings[I]}"; ValueData: ""
#endsub
#for {I = 0; I < DimOf(Endings); I++} Ending
