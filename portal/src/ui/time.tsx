import { LOCALE, type TextOfTime, t } from '../language/index.ts';

const STYLE = { dateStyle: 'medium', timeStyle: 'medium' } as const;

/** The browser's time zone, the default of `Time`. */
export const ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat(LOCALE, { ...STYLE, timeZone: zone });
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

interface WhenProps {
  text: TextOfTime;
  iso: string | null | undefined;
  /** Stands before the text, if there is a time: ` · `. */
  lead?: string;
  /** In place of the text if there is no time. */
  none?: string;
}

/** A text with its time: `last used {time}`. */
export function When({ text, iso, lead = '', none }: WhenProps) {
  if (iso == null) return none;
  return (
    <>
      {lead}
      {t.nodes(text, { time: <Time iso={iso} /> })}
    </>
  );
}
