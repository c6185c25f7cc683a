export type Script = 'superscript' | 'subscript';

const PLAIN = '0123456789+-−=()';
const SCRIPTS: Record<Script, string> = { superscript: '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾', subscript: '₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎' };
const MARKS: Record<Script, string> = { superscript: '^', subscript: '_' };

/** Raised or lowered text: in Unicode's digits and signs, else as `^n` or `_(max)`. */
export function inScript(script: Script, text: string): string {
  if (text === '') return '';
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  if (characters.every((character) => PLAIN.includes(character))) {
    return characters.map((character) => SCRIPTS[script][PLAIN.indexOf(character)]).join('');
  }
  const rest = characters.join('');
  return `${MARKS[script]}${characters.length === 1 || /^\(.*\)$/.test(rest) ? rest : `(${rest})`}`;
}

/** Raised by habit: `1st`, `Acme®`, the letters of a note. */
const ORDINAL = /^(?:st|nd|rd|th|er|re|e|è?me|ère|nde?|[ao]s?|ª|º)$/i;
const MARK = /^(?:[\s®™©*†‡§.,;:°ªº]*|\[\w{1,4}\]|TM|SM)$/;

/** Text of a run after the character `before`; what is only set small stays as it is. */
export function raised(script: Script, text: string, before: string): string {
  const isOrdinal = script === 'superscript' && /\d$/.test(before) && ORDINAL.test(text);
  const isAside = /\p{L}{2}\S*\s+\S*\p{L}{2}/u.test(text);
  const isMark = MARK.test(text);
  return isOrdinal || isAside || isMark ? text : inScript(script, text);
}
