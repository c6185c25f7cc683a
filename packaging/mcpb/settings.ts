/*
 * What a user of the bundle fills in: how Claude Desktop shows it, in which variable it reaches the bridge, and what is
 * said when it will not do. The manifest and the bridge both read it here, so that a message names what the user sees.
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

/** Fails with a sentence for the person who fills the settings in. It never repeats a value: it could be the key. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const address = filledIn(ADDRESS, environment);
  if (!isWebAddress(address)) throw unfit(ADDRESS, `must look like ${ADDRESS.default}`);
  const apiKey = filledIn(API_KEY, environment);
  // As a header it would fail later, with an error that has the whole key in it.
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw unfit(API_KEY, 'has characters in it that no key has');
  return { address, apiKey };
}

/** A host that knows no value for a setting may leave its placeholder as it is. */
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
