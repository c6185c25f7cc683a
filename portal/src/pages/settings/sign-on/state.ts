import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';
import { PRESETS, type Preset, type Provider } from './providers.ts';

type CreateRequest = Schemas['CreateIdentityProvider'];
type DefaultRole = NonNullable<Provider['defaultRole']>;

/** The texts of the fields, by the members of the request; lists are texts as well. */
export interface ProviderForm {
  preset: Preset;
  id: string;
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  allowedDomains: string;
  allowedDirectories: string;
  roleClaim: string;
  /** A line for each value: `admins = ADMIN`. */
  roleMapping: string;
  /** Empty: none. */
  defaultRole: DefaultRole | '';
  createUsers: boolean;
  linkByEmail: boolean;
  enabled: boolean;
  mcp: boolean;
}

export function emptyForm(preset: Preset = 'google'): ProviderForm {
  return {
    ...{ preset, ...beginningOf(preset), clientId: '', clientSecret: '', allowedDomains: '', allowedDirectories: '' },
    ...{ roleClaim: '', roleMapping: '', defaultRole: 'VIEWER', createUsers: true, linkByEmail: false, enabled: true },
    mcp: false,
  };
}

function beginningOf(preset: Preset) {
  const { name, issuer = '' } = PRESETS[preset];
  return { id: name.toLowerCase(), name, issuer };
}

/** Another preset brings its id, name and issuer, where the user has not written others. */
export function withPreset(form: ProviderForm, preset: Preset): ProviderForm {
  const [before, after] = [beginningOf(form.preset), beginningOf(preset)];
  const next = (member: 'id' | 'name' | 'issuer') => (form[member] === before[member] ? after[member] : form[member]);
  return { ...form, preset, id: next('id'), name: next('name'), issuer: next('issuer') };
}

export function formOf(provider: Provider): ProviderForm {
  const { preset, id, name, issuer, clientId, createUsers, linkByEmail, enabled, mcp } = provider;
  return {
    ...{ preset, id, name, issuer, clientId, clientSecret: '', createUsers, linkByEmail, enabled, mcp },
    allowedDomains: provider.allowedDomains.join(', '),
    allowedDirectories: provider.allowedDirectories.join(', '),
    roleClaim: provider.roleClaim ?? '',
    roleMapping: provider.roleMapping.map(({ value, role }) => `${value} = ${role}`).join('\n'),
    defaultRole: provider.defaultRole ?? '',
  };
}

/** The members as both versions of a conflict show them. */
export function wordsOf(form: ProviderForm): [label: string, text: string][] {
  const yesOrNo = (is: boolean) => (is ? t('Yes') : t('No'));
  return [
    [t('Name'), form.name],
    [t('Issuer'), form.issuer],
    [t('Client id'), form.clientId],
    [t('Client secret'), form.clientSecret === '' ? t('The stored one') : t('A new one')],
    [t('Allowed e-mail domains'), form.allowedDomains],
    [t('Allowed directories'), form.allowedDirectories],
    [t('Claim with groups or roles'), form.roleClaim],
    [t('Roles by values of the claim'), form.roleMapping],
    [t('Role of others'), form.defaultRole],
    [t('The first login makes a user'), yesOrNo(form.createUsers)],
    [t('It takes an existing user of the same e-mail'), yesOrNo(form.linkByEmail)],
    [t('People may log in with it'), yesOrNo(form.enabled)],
    [t('It may let MCP clients act for people'), yesOrNo(form.mcp)],
  ];
}

/** An empty secret of a stored provider means that it stays. */
export function requestOf(form: ProviderForm): CreateRequest {
  const { preset, id, name, issuer, clientId, clientSecret, createUsers, linkByEmail, enabled, mcp } = form;
  return {
    ...{ preset, id: id.trim(), name: name.trim(), issuer: issuer.trim(), clientId: clientId.trim() },
    ...{ createUsers, linkByEmail, enabled, mcp },
    ...(clientSecret !== '' && { clientSecret }),
    allowedDomains: listOf(form.allowedDomains),
    allowedDirectories: preset === 'microsoft' ? listOf(form.allowedDirectories) : [],
    roleClaim: form.roleClaim.trim() || null,
    roleMapping: form.roleClaim.trim() === '' ? [] : mappingOf(form.roleMapping),
    defaultRole: form.defaultRole || null,
  };
}

function listOf(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** The server refuses what is no role, and names the line. */
function mappingOf(text: string): CreateRequest['roleMapping'] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const end = line.lastIndexOf('=');
    const [value, role] = end < 0 ? [line, ''] : [line.slice(0, end), line.slice(end + 1)];
    return { value: value.trim(), role: role.trim() as Provider['roleMapping'][number]['role'] };
  });
}
