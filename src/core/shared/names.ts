import { distance } from 'fastest-levenshtein';

/** How many names a sentence can bear. */
const MAX_SUGGESTIONS = 5;

/**
 * The known names most like `name`: those that contain it or are contained in it, and those within a third of its
 * length in edits (Levenshtein, ignoring case). Nearest first; none when nothing is near.
 */
export function nearestNames(name: string, known: readonly string[]): string[] {
  const wanted = name.toLowerCase();
  const allowed = wanted.length <= 3 ? 1 : Math.max(2, Math.floor(wanted.length / 3));
  return known
    .map((candidate) => ({ candidate, edits: editsBetween(wanted, candidate.toLowerCase()) }))
    .filter(({ edits }) => edits <= allowed)
    .sort((one, other) => one.edits - other.edits)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}

function editsBetween(wanted: string, candidate: string): number {
  const contained = wanted.length >= 3 && (candidate.includes(wanted) || wanted.includes(candidate));
  return contained ? 1 : distance(wanted, candidate);
}

/** `"a", "b" and 3 more`. */
export function listNames(names: readonly string[], maximum = 10): string {
  const shown = names
    .slice(0, maximum)
    .map((name) => JSON.stringify(name))
    .join(', ');
  return names.length > maximum ? `${shown} and ${names.length - maximum} more` : shown;
}

/** That there is no thing of this name, and which there are; where there is none at all, how to come by one. */
export function unknownName(noun: string, name: string, known: readonly string[], remedy: string): string {
  const unknown = `there is no ${noun} ${JSON.stringify(name)}`;
  const nearest = nearestNames(name, known);
  if (nearest.length > 0) return `${unknown}; nearest: ${listNames(nearest)}`;
  if (known.length > 0) return `${unknown}; known: ${listNames(known)}`;
  return `${unknown}, nor any other; ${remedy}`;
}

/** Whether a text has this part, ignoring case. */
export function containsText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

/** A text as people search it: neither case nor accents matter. */
export function searchKey(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** What has the whole of `search` in its name, or else one of its words: people ask for the "Service dashboard". */
export function found<Item>(items: readonly Item[], nameOf: (item: Item) => string, search: string): Item[] {
  const whole = items.filter((item) => containsText(nameOf(item), search));
  if (whole.length > 0) return whole;
  const words = search.split(/\s+/).filter((word) => word.length >= 3);
  return items.filter((item) => words.some((word) => containsText(nameOf(item), word)));
}
