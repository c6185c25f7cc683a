/** The keys of a queue, and what each does. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['J', 'Skip this item and go on to the next one; from an earlier item, on towards the newest'],
  ['K', 'Back to the item before'],
  ['G', 'Rate good'],
  ['N', 'Rate needs improvement'],
  ['B', 'Rate bad'],
  ['E', 'Edit the corrected answer'],
  ['C', 'Comment'],
  ['T', 'Tags'],
  ['S', 'Status'],
  ['P', 'Priority'],
  ['U', 'Undo the last save or skip'],
  ['?', 'This help'],
  ['Ctrl+Enter', 'Save and go on to the next item, also while you type'],
  ['Escape', 'Leave a field'],
];

export type Key = 'j' | 'k' | 'g' | 'n' | 'b' | 'e' | 'c' | 't' | 's' | 'p' | 'u' | '?' | 'Ctrl+Enter' | 'Escape';

/** These are no letters: they act also where the letters are off. */
const ALWAYS: readonly string[] = ['Ctrl+Enter', 'Escape'];

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The key of the queue that was pressed; null for another one, and while somebody types a letter into a field. */
export function keyOf({ key, ctrlKey, metaKey, altKey }: Pressed, isTyping: boolean, areOn: boolean): Key | null {
  if (altKey) return null;
  if (ctrlKey || metaKey) return key === 'Enter' ? 'Ctrl+Enter' : null;
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (!ALWAYS.includes(name) && (isTyping || !areOn)) return null;
  return KEYS.some(([known]) => known === name || known.toLowerCase() === name) ? (name as Key) : null;
}
