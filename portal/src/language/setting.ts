import { store, stored } from '../ui/stored.ts';
import { BROWSER_LANGUAGE, LANGUAGE, type Language } from './language.ts';

/**
 * Takes over the setting of the user, which may have been changed in another browser. Null is the browser's language.
 * A page in another language is loaded again; where the browser stores nothing, it stays.
 */
export function followSetting(setting: Language | null): void {
  if (stored('localStorage', 'language') === (setting ?? undefined)) return;
  const isStored = store('localStorage', 'language', setting ?? undefined);
  if (isStored && (setting ?? BROWSER_LANGUAGE) !== LANGUAGE) window.location.reload();
}
