/*
 * The settings of the bundle: how Claude Desktop shows them, their environment variables and their
 * error messages. Shared by the manifest and the bridge, so that a message uses the name that the
 * user sees.
 */

interface Setting {
  variable: string;
  title: string;
  description: string;
}

export const ADDRESS = {
  variable: 'AGENT_RUNTIME_URL',
  title: 'Server address',
  description: 'Where your Agent Runtime server answers, with or without /mcp at the end.',
  default: 'http://127.0.0.1:3000',
} satisfies Setting & { default: string };

export const API_KEY = {
  variable: 'AGENT_RUNTIME_API_KEY',
  title: 'API key',
  description: 'A key of that server with the scope mcp:read. It begins with ar_.',
} satisfies Setting;

export interface Settings {
  address: string;
  apiKey: string;
}

/** Throws a message for the user. It never contains a value, which could be the key. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const address = filledIn(ADDRESS, environment);
  if (!isWebAddress(address)) throw unfit(ADDRESS, `must look like ${ADDRESS.default}`);
  const apiKey = filledIn(API_KEY, environment);
  // As a header it would fail later, with an error that contains the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw unfit(API_KEY, 'has characters in it that no key has');
  return { address, apiKey };
}

/** A host may leave the placeholder of a setting without a value. */
function filledIn(setting: Setting, environment: NodeJS.ProcessEnv): string {
  const value = environment[setting.variable]?.trim() ?? '';
  if (value === '' || value.startsWith('${')) throw unfit(setting, 'is not set');
  return value;
}

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && username === '' && password === '';
}

function unfit({ title }: Setting, problem: string): Error {
  return new Error(`"${title}" ${problem}: see Settings, Extensions, Agent Runtime, Configure in Claude Desktop.`);
}
