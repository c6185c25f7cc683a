const FORMAT = new Intl.DateTimeFormat(navigator.language, { dateStyle: 'medium', timeStyle: 'medium' });

/** The browser's time zone, in which `Time` shows times. */
export const ZONE = FORMAT.resolvedOptions().timeZone;

/** A time in the browser's zone, with the exact time as its title. */
export function Time({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} title={iso}>
      {FORMAT.format(new Date(iso))}
    </time>
  );
}
