import type { Schemas } from '../../../api/schemas.ts';

export type Line = Schemas['AuditEntry'];

interface Area {
  label: string;
  /** A noun with several actions, and all on it in words. */
  nouns?: Record<string, string>;
  /** The deeds in words, after who did them. `{}` is the name of the target. */
  actions: Record<string, string>;
}

/** The actions in the order of the list of filters. */
export const AREAS: readonly Area[] = [
  {
    label: 'Logins and requests',
    nouns: { 'login.': 'All about logins' },
    actions: {
      'login.succeeded': 'logged in',
      'login.failed': 'failed to log in',
      'login.unlocked': 'unlocked the user {}',
      'login_link.issued': 'made a login link for {}',
      'session.ended': 'ended sessions of {}',
      'request.refused': 'sent a request that was refused',
    },
  },
  {
    label: 'API keys and agents',
    nouns: { 'key.': 'All about API keys' },
    actions: {
      'key.created': 'created the key {}',
      'key.rotated': 'rotated the key {}',
      'key.revoked': 'revoked the key {}',
      'quota.changed': 'changed the quotas of {}',
      'agent.created': 'created the agent {}',
    },
  },
  {
    label: 'Users',
    nouns: { 'user.': 'All about users', 'invitation.': 'All about invitations' },
    actions: {
      'user.created': 'created the user {}',
      'user.updated': 'changed the user {}',
      'user.password_set': 'set the password of {}',
      'user.password_changed': 'changed the own password',
      'user.identity_linked': 'linked {} to an identity provider',
      'user.role_kept': 'kept the role of {}',
      'invitation.created': 'invited somebody',
      'invitation.revoked': 'revoked an invitation',
      'invitation.accepted': 'accepted an invitation',
    },
  },
  {
    label: 'Second factors',
    nouns: { 'second_factor.': 'All about second factors' },
    actions: {
      'second_factor.added': 'added a second factor',
      'second_factor.removed': 'removed a second factor of {}',
      'second_factor.reset': 'reset the second factors of {}',
      'second_factor.recovery_codes_replaced': 'made new recovery codes',
      'second_factor.confirmed': 'gave a second factor',
      'second_factor.failed': 'gave a wrong second factor',
    },
  },
  {
    label: 'Applications and single sign-on',
    nouns: { 'grant.': 'All about applications', 'identity_provider.': 'All about identity providers' },
    actions: {
      'grant.created': 'let an application act',
      'grant.renewed': 'let an application act again, by the identity provider',
      'grant.ended': 'ended the access of an application',
      'identity_provider.created': 'added the identity provider {}',
      'identity_provider.changed': 'changed the identity provider {}',
      'identity_provider.removed': 'removed the identity provider {}',
    },
  },
  {
    label: 'Settings and connections',
    nouns: {
      'provider.': 'All about LLM providers',
      'connector.': 'All about connectors',
      'credential.': 'All about credentials',
    },
    actions: {
      'settings.updated': 'changed the settings',
      'provider.applied': 'set the provider {}',
      'provider.tested': 'tested the provider {}',
      'provider.removed': 'removed the provider {}',
      'connector.applied': 'set the connector {}',
      'connector.removed': 'removed the connector {}',
      'credential.set': 'set the credential {}',
      'credential.removed': 'removed the credential {}',
      'secrets.rotated': 'rotated the sealing key',
    },
  },
  {
    label: 'Metrics and dashboards',
    nouns: {
      'metric.': 'All about metrics',
      'segment.': 'All about segments',
      'annotation.': 'All about annotations',
      'term.': 'All about terms',
    },
    actions: {
      'metric.proposed': 'proposed the metric {}',
      'metric.approved': 'approved the metric {}',
      'metric.deprecated': 'deprecated the metric {}',
      'segment.created': 'created the segment {}',
      'segment.changed': 'changed the segment {}',
      'segment.removed': 'removed the segment {}',
      'annotation.created': 'added an annotation',
      'annotation.changed': 'changed an annotation',
      'annotation.removed': 'removed an annotation',
      'term.put': 'explained the term {}',
      'term.removed': 'removed the term {}',
      'card.deleted': 'deleted a card',
      'tab.deleted': 'deleted a tab of the dashboard',
      'dashboard_change.undone': 'undid an agent’s change of the dashboard',
    },
  },
  {
    label: 'Alerts and digests',
    nouns: { 'alert.': 'All about alerts', 'digest.': 'All about digests' },
    actions: Object.fromEntries(
      ['alert', 'digest'].flatMap((noun) => [
        [`${noun}.created`, `created the ${noun} {}`],
        [`${noun}.changed`, `changed the ${noun} {}`],
        [`${noun}.tested`, `tested the ${noun} {}`],
        [`${noun}.ended`, `ended the ${noun} {}`],
        [`${noun}.removed`, `removed the ${noun} {}`],
      ]),
    ),
  },
  {
    label: 'Data',
    actions: {
      'document.deleted': 'deleted a document',
      'vector_store.deleted': 'deleted the vector store {}',
      'review.deleted': 'deleted a review',
      'assessment.deleted': 'deleted an assessment',
      'rubric.created': 'created the rubric {}',
      'rubric.changed': 'changed the rubric {}',
      'thread.erased': 'erased a conversation',
      'end_user.erased': 'erased an end user',
      'sample_data.loaded': 'added the sample data',
      'sample_data.removed': 'removed the sample data',
      'events.exported': 'read a full page of events',
      'training_data.exported': 'exported training data',
      'audit_log.exported': 'exported the audit log',
      'backup.downloaded': 'downloaded a backup',
    },
  },
];

const PHRASES = new Map(AREAS.flatMap(({ actions }) => Object.entries(actions)));

/** Names of users, and of the tenant, by their ids. */
export type Names = ReadonlyMap<string, string>;

export function actorOf({ actor }: Line, names: Names): string {
  if (actor.kind === 'operator') return 'The operator';
  if (actor.kind === 'key') return `The key ${actor.label}`;
  const name = names.get(actor.id ?? '') ?? actor.label;
  return actor.client === undefined ? name : `${name} (through ${actor.client})`;
}

/** "Ada rotated the key Nightly report"; an action without words here stands as it is. */
export function sentenceOf(line: Line, names: Names): string {
  const phrase = PHRASES.get(line.action) ?? `${line.action} {}`;
  return `${actorOf(line, names)} ${phrase.replace('{}', () => targetOf(line, names))}`.trim();
}

function targetOf({ target, details, actor, action }: Line, names: Names): string {
  const { label, title, email } = details as Record<string, unknown>;
  for (const name of [label, title, email]) if (typeof name === 'string' && name !== '') return name;
  if (target === null) return action.startsWith('session.') ? 'users' : '';
  if (action === 'quota.changed') return names.get(target) ?? `the key ${target}`;
  const isOwn = actor.kind === 'user' && actor.id === target;
  return isOwn ? 'their own account' : (names.get(target) ?? target);
}

/** The facts that a reader wants to know without opening the line. */
export function asideOf({ details }: Line): string | null {
  const { reason, repeated, leftOut, route } = details as Record<string, unknown>;
  const parts = [
    typeof route === 'string' && route,
    typeof reason === 'string' && reason,
    typeof repeated === 'number' && `${repeated.toLocaleString()} more times within a minute`,
    typeof leftOut === 'number' && `${leftOut.toLocaleString()} different ones within a minute`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(' · ') : null;
}
