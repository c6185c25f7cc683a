import { store, stored } from '../ui/stored.ts';

const KEY = 'tab';

/** The dashboard's tab that was looked at last in this window: a new card goes there, and so does who comes back. */
export function lastTab(): string | undefined {
  return stored('sessionStorage', KEY);
}

export function rememberTab(id: string): void {
  store('sessionStorage', KEY, id);
}
