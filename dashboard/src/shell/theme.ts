// Light, dark, or as the system says. Kept in this browser.

const KEY = 'postrider-theme';

/** What a person may choose. */
export type Theme = 'light' | 'dark' | 'system';

/** The choice, `system` at first. */
export function currentTheme(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Keeps a choice and shows it. */
export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme);
  applyTheme();
  dispatchEvent(new Event('themechange')); // plots draw themselves anew
}

/** Shows the kept choice. */
export function applyTheme(): void {
  const theme = currentTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
