const STYLE = { dateStyle: 'medium', timeStyle: 'medium' } as const;

/** The browser's time zone, the default of `Time`. */
export const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat(navigator.language, { ...STYLE, timeZone: zone });
  formats.set(zone, format);
  return format;
}

/** A time in a zone, with the exact time as its title. */
export function Time({ iso, zone = ZONE }: { iso: string; zone?: string }) {
  return (
    <time dateTime={iso} title={iso}>
      {formatIn(zone).format(new Date(iso))}
    </time>
  );
}

/** "last used", and when. In place of a time that is not there stands `none`. */
export function When({ words, iso, none }: { words: string; iso: string | null | undefined; none?: string }) {
  if (iso == null) return none;
  return (
    <>
      {words} <Time iso={iso} />
    </>
  );
}
