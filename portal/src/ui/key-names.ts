interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/**
 * The name of a pressed key: "j", "?", "Escape", "Ctrl+Enter". Null for other combinations, and for a letter that is
 * typed into a field or while letters are off.
 */
export function keyOf({ key, ctrlKey, metaKey, altKey }: Pressed, isTyping: boolean, areOn: boolean): string | null {
  if (altKey) return null;
  if (ctrlKey || metaKey) return key === 'Enter' ? 'Ctrl+Enter' : null;
  if (key.length > 1) return key;
  return isTyping || !areOn ? null : key.toLowerCase();
}
