const MAX_REDIRECTS = 3;
const STATUSES = new Set([301, 302, 303, 307, 308]);

/** A refusal ends a sentence that begins with the host. */
export type Redirect = { next: URL } | { refusal: string };

/** Null for no redirect. Never from https to http. The caller must check `next` (SSRF guard). */
export function redirectOf(
  { status, location }: { status: number; location: string | null | undefined },
  { from, followed }: { from: URL; followed: number },
): Redirect | null {
  if (!STATUSES.has(status) || location === null || location === undefined) return null;
  if (followed >= MAX_REDIRECTS) return { refusal: `redirects more than ${MAX_REDIRECTS} times` };
  const next = URL.parse(location, from.href);
  if (next === null) return { refusal: 'redirects to an invalid address' };
  if (from.protocol === 'https:' && next.protocol === 'http:') {
    return { refusal: 'redirects from https to http, which is not followed' };
  }
  return { next };
}
