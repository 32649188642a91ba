// Loaded before the page is painted, so that nobody in the dark is blinded for a moment. The switch itself: see app.js.
try {
    const theme = localStorage.getItem("newsflash.theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
    // Without storage the system's choice holds.
}
