const KEY = 'tab';

/** The dashboard's tab that was looked at last in this window: a new card goes there, and so does who comes back. */
export function lastTab(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function rememberTab(id: string): void {
  sessionStorage.setItem(KEY, id);
}
