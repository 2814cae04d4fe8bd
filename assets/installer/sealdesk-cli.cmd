@echo off
rem Sealdesk's command line. A batch file waits for a program with windows, which the prompt itself does not.
"%~dp0Sealdesk.exe" --cli -- %*
