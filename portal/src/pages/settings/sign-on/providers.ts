import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';

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
  /** The id that the form begins with is this name in small letters. */
  name: string;
  /** For a product that everybody has at one address. */
  issuer?: string;
  issuerExample: string;
  /** Where its groups or roles are, once it is set up to send them. */
  roleClaim: string;
}

const GOOGLE = 'https://accounts.google.com';
const MICROSOFT = 'https://login.microsoftonline.com/DIRECTORY-ID/v2.0';

/** The form begins with these values, which docs/sso.md has, too. */
export const PRESETS: Record<Preset, PresetInfo> = {
  google: { label: 'Google', name: 'Google', issuer: GOOGLE, issuerExample: GOOGLE, roleClaim: '' },
  microsoft: { label: 'Microsoft Entra', name: 'Microsoft', issuerExample: MICROSOFT, roleClaim: 'roles' },
  okta: { label: 'Okta', name: 'Okta', issuerExample: 'https://YOUR-DOMAIN.okta.com', roleClaim: 'groups' },
  keycloak: {
    label: 'Keycloak',
    name: 'Keycloak',
    issuerExample: 'https://HOST/realms/REALM',
    roleClaim: 'realm_access.roles',
  },
  authentik: {
    label: 'authentik',
    name: 'authentik',
    issuerExample: 'https://HOST/application/o/APPLICATION/',
    roleClaim: 'groups',
  },
  other: {
    label: t('Another OpenID Connect provider'),
    name: '',
    issuerExample: 'https://login.example.com',
    roleClaim: 'groups',
  },
};
