import { distance } from 'fastest-levenshtein';

const MAX_SUGGESTIONS = 5;
/** Callers choose both sides of a comparison, which takes up to 5 microseconds. */
export const MAX_COMPARED = 500;
const MAX_COMPARED_LENGTH = 100;
/** Shorter names are parts of most others. */
const MIN_CONTAINED = 3;

/** Nearest first: names that contain each other, or with a small Levenshtein distance. */
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
  const shorter = Math.min(wanted.length, candidate.length);
  const contained = shorter >= MIN_CONTAINED && (candidate.includes(wanted) || wanted.includes(candidate));
  return contained ? 1 : distance(wanted, candidate);
}

/** `; did you mean petId?`, or `otherwise`. */
export function suggestion(name: string, known: readonly string[], otherwise = ''): string {
  if (name.length > MAX_COMPARED_LENGTH || known.length > MAX_COMPARED) return otherwise;
  const comparable = known.filter((one) => one.length <= MAX_COMPARED_LENGTH);
  const [nearest] = nearestNames(name, comparable);
  return nearest === undefined ? otherwise : `; did you mean ${nearest}?`;
}

export function listNames(names: readonly string[], maximum = 10): string {
  const shown = names
    .slice(0, maximum)
    .map((name) => JSON.stringify(name))
    .join(', ');
  return names.length > maximum ? `${shown} and ${names.length - maximum} more` : shown;
}
