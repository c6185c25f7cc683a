interface Option {
  value: string;
  label: string;
}

interface Named {
  name: string;
  title?: string | undefined;
}

/** What people call it. */
export function titleOf({ name, title = name }: Named): string {
  return title;
}

/** All events, then the segments by title. The one that a question names stays a choice when it was deleted. */
export function segmentOptions(known: readonly Named[], chosen: string): Option[] {
  const options = known
    .map((segment) => ({ value: segment.name, label: titleOf(segment) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const isMissing = chosen !== '' && !known.some(({ name }) => name === chosen);
  return [
    { value: '', label: 'All events' },
    ...options,
    ...(isMissing ? [{ value: chosen, label: `${chosen}, which is not there any more` }] : []),
  ];
}
