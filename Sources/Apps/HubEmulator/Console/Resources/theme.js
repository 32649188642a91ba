// Runs before the page is painted, so that a dark page does not start with a white flash. See themeswitch.js for the switch.
try {
    const theme = localStorage.getItem("newsflash.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
    // Without storage, the system's setting applies.
}
