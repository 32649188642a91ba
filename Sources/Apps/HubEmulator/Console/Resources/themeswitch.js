// The switch for light and dark: the system's setting, until the user chooses.

import { store } from "./memory.js";

const storageKey = "newsflash.theme";

export function wireThemeSwitch() {
    const button = document.getElementById("theme");
    const system = matchMedia("(prefers-color-scheme: dark)");
    const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
    const show = () => button.setAttribute("aria-checked", String(isDark()));
    button.addEventListener("click", () => {
        const theme = isDark() ? "light" : "dark";
        document.documentElement.dataset.theme = theme;
        store("localStorage", storageKey, theme);
        show();
    });
    system.addEventListener("change", show);
    show();
}
