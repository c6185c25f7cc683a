import { store, stored } from '../ui/stored.ts';

const KEY = 'tab';

/** The tab of the dashboard that this window showed last: the default of the dashboard and of new cards. */
export function lastTab(): string | undefined {
  return stored('sessionStorage', KEY);
}

export function rememberTab(id: string): void {
  store('sessionStorage', KEY, id);
}
