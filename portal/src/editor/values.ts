/** The members of a request that differ from those before: a change sends only them. */
export function changedOf<Request extends object>(request: Request, before: object): Partial<Request> {
  const known = before as Record<string, unknown>;
  const changed = Object.entries(request).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name]),
  );
  return Object.fromEntries(changed) as Partial<Request>;
}

/** Members that were not edited since `start` take what somebody else has stored since. */
export function mergedWith<Form extends object>(form: Form, start: Form, theirs: Form): Form {
  const names = Object.keys({ ...theirs, ...form }) as (keyof Form)[];
  const isEdited = (name: keyof Form) => JSON.stringify(form[name]) !== JSON.stringify(start[name]);
  return Object.fromEntries(names.map((name) => [name, isEdited(name) ? form[name] : theirs[name]])) as Form;
}

const MAX_NAME = 100;

/** A name made of the title: `resolution_rate` of "Resolution rate". */
export function nameOfTitle(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, MAX_NAME);
}

/** The number of a field. A text that is not a number is sent as text: the server's message explains the error. */
export function numberOf(text: string): number {
  const number = Number(text);
  return text.trim() !== '' && Number.isFinite(number) ? number : (text as unknown as number);
}
