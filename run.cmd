@echo off
rem Sets Slipstream up on Windows, then starts it. "run --help" says what else it can do.
setlocal
set "root=%~dp0"

if exist "%root%.venv\slipstream.json" if exist "%root%.venv\Scripts\python.exe" (
    "%root%.venv\Scripts\python.exe" "%root%packaging\bootstrap.py" %*
    exit /b
)

for %%v in (3.13 3.12 3.14 3.11) do (
    py -%%v -c "" >nul 2>nul && (
        py -%%v "%root%packaging\bootstrap.py" %*
        exit /b
    )
)
python -c "import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))" >nul 2>nul && (
    python "%root%packaging\bootstrap.py" %*
    exit /b
)

echo Slipstream needs Python 3.11 to 3.14. Paste this line, then start again:
echo.
echo     winget install Python.Python.3.13
echo.
exit /b 1
