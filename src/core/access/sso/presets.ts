export const PRESET_NAMES = ['google', 'microsoft', 'okta', 'keycloak', 'authentik', 'other'] as const;
export type Preset = (typeof PRESET_NAMES)[number];

/** Defaults of a new provider. docs/sso.md has the steps for each. */
export const PRESETS: Record<Preset, { name: string; issuer?: string }> = {
  google: { name: 'Google', issuer: 'https://accounts.google.com' },
  microsoft: { name: 'Microsoft' },
  okta: { name: 'Okta' },
  keycloak: { name: 'Keycloak' },
  authentik: { name: 'authentik' },
  other: { name: 'single sign-on' },
};
