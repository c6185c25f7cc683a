import type { Connection } from '../provider.ts';

/** Shorter secrets are words of any text. */
const MIN_SECRET = 4;
/** This many characters of a truncated secret reveal it. */
const MIN_PART = 8;

/** Redacts our secrets from a provider's text: vendors quote the key that they refuse. */
export function redactSecrets(text: string, connection: Secretive): string {
  const secrets = secretsOf(connection);
  return withoutBeginning(
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text),
    secrets,
  );
}

type Secretive = Pick<Connection, 'apiKey' | 'headers'>;

/** Cached, since every answer has an id to redact. Module state. */
const known = new WeakMap<Secretive, string[]>();

function secretsOf(connection: Secretive): string[] {
  const secrets = known.get(connection) ?? collected(connection);
  known.set(connection, secrets);
  return secrets;
}

/** Longest first, so that a secret within another leaves nothing of it. */
function collected({ apiKey, headers }: Secretive): string[] {
  const whole = [apiKey ?? '', ...Object.values(headers)];
  // Vendors quote the second word of `Bearer abc`.
  const words = whole.flatMap((secret) => secret.split(/\s+/)).filter(({ length }) => length >= MIN_PART);
  return [...whole.filter(({ length }) => length >= MIN_SECRET), ...words].sort(
    (one, other) => other.length - one.length,
  );
}

/** A long text is truncated, maybe in the middle of a secret. */
function withoutBeginning(text: string, secrets: string[]): string {
  if (!text.endsWith('...')) return text;
  const beginning = text.slice(0, -'...'.length);
  for (const secret of secrets) {
    for (let length = secret.length - 1; length >= MIN_PART; length--) {
      if (beginning.endsWith(secret.slice(0, length))) return `${beginning.slice(0, -length)}[secret]...`;
    }
  }
  return text;
}
