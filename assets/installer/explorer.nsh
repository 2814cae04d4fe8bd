; What the Explorer shows: "Send to", for the person who installs (Windows has no such folder for all), and Sealdesk under "Open with" for PDF files. It leaves the person's own PDF program as it is:
; electron-builder's fileAssociations would write the default value of .pdf itself.
!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sealdesk.Pdf" "" "PDF document"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sealdesk.Pdf\DefaultIcon" "" "$INSTDIR\${APP_EXECUTABLE_FILENAME},0"
  WriteRegStr SHELL_CONTEXT "Software\Classes\Sealdesk.Pdf\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" "%1"'
  WriteRegStr SHELL_CONTEXT "Software\Classes\.pdf\OpenWithProgids" "Sealdesk.Pdf" ""
  CreateShortCut "$SENDTO\${PRODUCT_NAME}.lnk" "$INSTDIR\${APP_EXECUTABLE_FILENAME}"
!macroend

!macro customUnInstall
  Delete "$SENDTO\${PRODUCT_NAME}.lnk"
  DeleteRegValue SHELL_CONTEXT "Software\Classes\.pdf\OpenWithProgids" "Sealdesk.Pdf"
  DeleteRegKey SHELL_CONTEXT "Software\Classes\Sealdesk.Pdf"
!macroend
