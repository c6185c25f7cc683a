/** The place of the agreement of assessors by rubric. */
export function Agreement() {
  return null;
}
