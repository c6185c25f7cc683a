import type { Connection } from '../provider.ts';

/** Shorter ones are words of any text. */
const MIN_SECRET = 4;
/** Of a secret that was cut off, or stands among others, so much tells what it is. */
const MIN_PART = 8;

/** A text of a provider's without what it quotes of our secrets: vendors repeat the key that they do not accept. */
export function redactSecrets(text: string, connection: Secretive): string {
  const secrets = secretsOf(connection);
  return withoutBeginning(
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text),
    secrets,
  );
}

type Secretive = Pick<Connection, 'apiKey' | 'headers'>;

/** Every answer has an id to be looked through, and connections serve many. */
const known = new WeakMap<Secretive, string[]>();

function secretsOf(connection: Secretive): string[] {
  const secrets = known.get(connection) ?? collected(connection);
  known.set(connection, secrets);
  return secrets;
}

/** Longest first, so that one within another leaves nothing of it. */
function collected({ apiKey, headers }: Secretive): string[] {
  const whole = [apiKey ?? '', ...Object.values(headers)];
  // Of `Bearer abc` a vendor quotes the second word.
  const words = whole.flatMap((secret) => secret.split(/\s+/)).filter(({ length }) => length >= MIN_PART);
  return [...whole.filter(({ length }) => length >= MIN_SECRET), ...words].sort(
    (one, other) => other.length - one.length,
  );
}

/** A long text is cut, and the cut may go through a secret. */
function withoutBeginning(text: string, secrets: string[]): string {
  if (!text.endsWith('...')) return text;
  const kept = text.slice(0, -'...'.length);
  for (const secret of secrets) {
    for (let length = secret.length - 1; length >= MIN_PART; length--) {
      if (kept.endsWith(secret.slice(0, length))) return `${kept.slice(0, -length)}[secret]...`;
    }
  }
  return text;
}
