/** The members of a request that differ from those before: a change sends only them. */
export function changedOf<Request extends object>(request: Request, before: object): Partial<Request> {
  const known = before as Record<string, unknown>;
  const changed = Object.entries(request).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
  );
  return Object.fromEntries(changed) as Partial<Request>;
}
