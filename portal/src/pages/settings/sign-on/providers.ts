import type { Schemas } from '../../../api/schemas.ts';

export const PROVIDERS = '/api/v1/portal/identity-providers';
export const SETTINGS = '/api/v1/portal/settings';

export type Provider = Schemas['IdentityProvider'];
export type Preset = Provider['preset'];

export type ProviderChange =
  | { kind: 'add' }
  | { kind: 'edit'; provider: Provider }
  | { kind: 'test'; provider: Provider }
  | { kind: 'delete'; provider: Provider };

interface PresetInfo {
  label: string;
  name: string;
  id: string;
  issuer: string;
  issuerExample: string;
  /** Where its groups or roles are, once it is set up to send them. */
  roleClaim: string;
}

/** The form begins with these values, which docs/sso.md has, too. */
export const PRESETS: Record<Preset, PresetInfo> = {
  google: {
    label: 'Google',
    name: 'Google',
    id: 'google',
    issuer: 'https://accounts.google.com',
    issuerExample: 'https://accounts.google.com',
    roleClaim: '',
  },
  microsoft: {
    label: 'Microsoft Entra',
    name: 'Microsoft',
    id: 'microsoft',
    issuer: '',
    issuerExample: 'https://login.microsoftonline.com/DIRECTORY-ID/v2.0',
    roleClaim: 'roles',
  },
  okta: {
    label: 'Okta',
    name: 'Okta',
    id: 'okta',
    issuer: '',
    issuerExample: 'https://YOUR-DOMAIN.okta.com',
    roleClaim: 'groups',
  },
  keycloak: {
    label: 'Keycloak',
    name: 'Keycloak',
    id: 'keycloak',
    issuer: '',
    issuerExample: 'https://HOST/realms/REALM',
    roleClaim: 'realm_access.roles',
  },
  authentik: {
    label: 'authentik',
    name: 'authentik',
    id: 'authentik',
    issuer: '',
    issuerExample: 'https://HOST/application/o/APPLICATION/',
    roleClaim: 'groups',
  },
  other: {
    label: 'Another OpenID Connect provider',
    name: '',
    id: '',
    issuer: '',
    issuerExample: 'https://login.example.com',
    roleClaim: 'groups',
  },
};
