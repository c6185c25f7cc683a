const FORMAT = new Intl.DateTimeFormat(navigator.language, { dateStyle: 'medium', timeStyle: 'medium' });

/** The zone that `Time` writes in: the browser's. */
export const ZONE = FORMAT.resolvedOptions().timeZone;

/** A time in the browser's zone; the exact one as its title. */
export function Time({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={iso}>
      {FORMAT.format(new Date(iso))}
    </time>
  );
}
