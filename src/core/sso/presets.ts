export const PRESET_NAMES = ['google', 'microsoft', 'okta', 'keycloak', 'authentik', 'other'] as const;
export type Preset = (typeof PRESET_NAMES)[number];

interface PresetDefaults {
  /** On the button. */
  name: string;
  /** Where all customers have the same one. */
  issuer?: string;
  /** How an issuer looks; parts in angle brackets are the customer's. */
  issuerExample: string;
  roleClaim?: string;
}

/** What a new provider begins with. docs/sso.md has the steps for each. */
export const PRESETS: Record<Preset, PresetDefaults> = {
  google: { name: 'Google', issuer: 'https://accounts.google.com', issuerExample: 'https://accounts.google.com' },
  microsoft: {
    name: 'Microsoft',
    issuerExample: 'https://login.microsoftonline.com/<directory id>/v2.0',
    roleClaim: 'roles',
  },
  okta: { name: 'Okta', issuerExample: 'https://<your domain>.okta.com', roleClaim: 'groups' },
  keycloak: {
    name: 'Keycloak',
    issuerExample: 'https://<host>/realms/<realm>',
    roleClaim: 'realm_access.roles',
  },
  authentik: {
    name: 'authentik',
    issuerExample: 'https://<host>/application/o/<application slug>/',
    roleClaim: 'groups',
  },
  other: { name: 'single sign-on', issuerExample: 'https://login.example.com' },
};
