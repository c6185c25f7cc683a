/** Addresses of earlier versions and of groups of pages. By path: the page of today, with the names of its parameters that differ. */
const MOVED: Record<string, (given: URLSearchParams) => [path: string, search: Record<string, string>]> = {
  '/events': (given) => {
    const name = given.get('name');
    return ['/explore', { view: 'feed', ...(name !== null && { question: JSON.stringify({ eventName: name }) }) }];
  },
  '/events/query': () => ['/explore', { view: 'table' }],
  '/events/aggregate': () => ['/explore', { view: 'kpi' }],
  '/terms': () => ['/metrics', { show: 'glossary' }],
  '/single-sign-on': () => ['/settings/sign-on', {}],
  '/settings': () => ['/settings/keys', {}],
};

/** The address of today for one of an earlier version or a group; null for any other. `path` begins after the base path. */
export function movedAddress(path: string, search: string): string | null {
  const place = MOVED[path.replace(/(.)\/$/, '$1')];
  if (!place) return null;
  const given = new URLSearchParams(search);
  const [to, added] = place(given);
  given.delete('name');
  for (const [name, value] of Object.entries(added)) given.set(name, value);
  return given.size === 0 ? to : `${to}?${given}`;
}
