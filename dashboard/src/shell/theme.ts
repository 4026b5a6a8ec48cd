// Light, dark or system theme, stored in this browser.

const KEY = 'postrider-theme';

/** The themes to choose from. */
export type Theme = 'light' | 'dark' | 'system';

/** The chosen theme; `system` by default. */
export function currentTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Stores the theme and applies it. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
  dispatchEvent(new Event('themechange')); // plots redraw
}

/** Applies the stored theme. */
export function applyTheme(): void {
  const theme = currentTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
