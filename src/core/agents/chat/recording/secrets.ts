import type { Connection } from '../provider.ts';

/** Shorter secrets are words of any text. */
const MIN_SECRET = 4;
const MIN_PART = 8;

/** Vendors quote the key that they refuse. */
export function redactSecrets(text: string, connection: Secretive): string {
  const secrets = secretsOf(connection);
  return withoutBeginning(
    secrets.reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text),
    secrets,
  );
}

type Secretive = Pick<Connection, 'apiKey' | 'headers'>;

const known = new WeakMap<Secretive, string[]>();

function secretsOf(connection: Secretive): string[] {
  const secrets = known.get(connection) ?? collected(connection);
  known.set(connection, secrets);
  return secrets;
}

/** Longest first: a secret may contain another. */
function collected({ apiKey, headers }: Secretive): string[] {
  const whole = [apiKey ?? '', ...Object.values(headers)];
  // Vendors quote the second word of `Bearer abc`.
  const words = whole.flatMap((secret) => secret.split(/\s+/)).filter(({ length }) => length >= MIN_PART);
  return [...whole.filter(({ length }) => length >= MIN_SECRET), ...words].sort(
    (one, other) => other.length - one.length,
  );
}

/** Truncation may cut a secret in the middle. */
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
