import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';

export type Line = Schemas['AuditEntry'];

interface Area {
  label: string;
  /** A noun with several actions, and all on it in words. */
  nouns?: Record<string, string>;
  /** Sentences with the places `{who}` and `{target}`. */
  actions: Record<string, string>;
}

/** The values that a line gives. */
const PLACES = { who: '{who}', target: '{target}' };

/** The actions in the order of the list of filters. */
export const AREAS: readonly Area[] = [
  {
    label: t('Logins and requests'),
    nouns: { 'login.': t('All about logins') },
    actions: {
      'login.succeeded': t('{who} logged in', PLACES),
      'login.failed': t('{who} failed to log in', PLACES),
      'login.unlocked': t('{who} unlocked the user {target}', PLACES),
      'login_link.issued': t('{who} made a login link for {target}', PLACES),
      'session.ended': t('{who} ended sessions of {target}', PLACES),
      'request.refused': t('{who} sent a request that was refused', PLACES),
    },
  },
  {
    label: t('API keys and agents'),
    nouns: { 'key.': t('All about API keys') },
    actions: {
      'key.created': t('{who} created the key {target}', PLACES),
      'key.rotated': t('{who} rotated the key {target}', PLACES),
      'key.revoked': t('{who} revoked the key {target}', PLACES),
      'quota.changed': t('{who} changed the quotas of {target}', PLACES),
      'agent.created': t('{who} created the agent {target}', PLACES),
    },
  },
  {
    label: t('Users'),
    nouns: { 'user.': t('All about users'), 'invitation.': t('All about invitations') },
    actions: {
      'user.created': t('{who} created the user {target}', PLACES),
      'user.updated': t('{who} changed the user {target}', PLACES),
      'user.password_set': t('{who} set the password of {target}', PLACES),
      'user.password_changed': t('{who} changed the own password', PLACES),
      'user.identity_linked': t('{who} linked {target} to an identity provider', PLACES),
      'user.role_kept': t('{who} kept the role of {target}', PLACES),
      'invitation.created': t('{who} invited somebody', PLACES),
      'invitation.revoked': t('{who} revoked an invitation', PLACES),
      'invitation.accepted': t('{who} accepted an invitation', PLACES),
    },
  },
  {
    label: t('Second factors'),
    nouns: { 'second_factor.': t('All about second factors') },
    actions: {
      'second_factor.added': t('{who} added a second factor', PLACES),
      'second_factor.removed': t('{who} removed a second factor of {target}', PLACES),
      'second_factor.reset': t('{who} reset the second factors of {target}', PLACES),
      'second_factor.recovery_codes_replaced': t('{who} made new recovery codes', PLACES),
      'second_factor.confirmed': t('{who} gave a second factor', PLACES),
      'second_factor.failed': t('{who} gave a wrong second factor', PLACES),
    },
  },
  {
    label: t('Applications and single sign-on'),
    nouns: { 'grant.': t('All about applications'), 'identity_provider.': t('All about identity providers') },
    actions: {
      'grant.created': t('{who} let an application act', PLACES),
      'grant.renewed': t('{who} let an application act again, by the identity provider', PLACES),
      'grant.ended': t('{who} ended the access of an application', PLACES),
      'identity_provider.created': t('{who} added the identity provider {target}', PLACES),
      'identity_provider.changed': t('{who} changed the identity provider {target}', PLACES),
      'identity_provider.removed': t('{who} removed the identity provider {target}', PLACES),
    },
  },
  {
    label: t('Settings and connections'),
    nouns: {
      'provider.': t('All about LLM providers'),
      'connector.': t('All about connectors'),
      'credential.': t('All about credentials'),
    },
    actions: {
      'settings.updated': t('{who} changed the settings', PLACES),
      'provider.applied': t('{who} set the provider {target}', PLACES),
      'provider.tested': t('{who} tested the provider {target}', PLACES),
      'provider.removed': t('{who} removed the provider {target}', PLACES),
      'connector.applied': t('{who} set the connector {target}', PLACES),
      'connector.removed': t('{who} removed the connector {target}', PLACES),
      'credential.set': t('{who} set the credential {target}', PLACES),
      'credential.removed': t('{who} removed the credential {target}', PLACES),
      'secrets.rotated': t('{who} rotated the sealing key', PLACES),
    },
  },
  {
    label: t('Metrics and dashboards'),
    nouns: {
      'metric.': t('All about metrics'),
      'segment.': t('All about segments'),
      'annotation.': t('All about annotations'),
      'term.': t('All about terms'),
    },
    actions: {
      'metric.proposed': t('{who} proposed the metric {target}', PLACES),
      'metric.approved': t('{who} approved the metric {target}', PLACES),
      'metric.deprecated': t('{who} deprecated the metric {target}', PLACES),
      'segment.created': t('{who} created the segment {target}', PLACES),
      'segment.changed': t('{who} changed the segment {target}', PLACES),
      'segment.removed': t('{who} removed the segment {target}', PLACES),
      'annotation.created': t('{who} added an annotation', PLACES),
      'annotation.changed': t('{who} changed an annotation', PLACES),
      'annotation.removed': t('{who} removed an annotation', PLACES),
      'term.put': t('{who} explained the term {target}', PLACES),
      'term.removed': t('{who} removed the term {target}', PLACES),
      'card.deleted': t('{who} deleted a card', PLACES),
      'tab.deleted': t('{who} deleted a tab of the dashboard', PLACES),
      'tab.shared': t('{who} shared a tab of the dashboard by a link', PLACES),
      'tab.link_revoked': t('{who} revoked a link to a tab of the dashboard', PLACES),
      'dashboard_change.undone': t('{who} undid an agent’s change of the dashboard', PLACES),
    },
  },
  {
    label: t('Alerts and digests'),
    nouns: { 'alert.': t('All about alerts'), 'digest.': t('All about digests') },
    actions: {
      'alert.created': t('{who} created the alert {target}', PLACES),
      'alert.changed': t('{who} changed the alert {target}', PLACES),
      'alert.tested': t('{who} tested the alert {target}', PLACES),
      'alert.ended': t('{who} ended the alert {target}', PLACES),
      'alert.removed': t('{who} removed the alert {target}', PLACES),
      'digest.created': t('{who} created the digest {target}', PLACES),
      'digest.changed': t('{who} changed the digest {target}', PLACES),
      'digest.tested': t('{who} tested the digest {target}', PLACES),
      'digest.ended': t('{who} ended the digest {target}', PLACES),
      'digest.removed': t('{who} removed the digest {target}', PLACES),
    },
  },
  {
    label: t('Data'),
    actions: {
      'document.deleted': t('{who} deleted a document', PLACES),
      'vector_store.created': t('{who} created the vector store {target}', PLACES),
      'vector_store.renamed': t('{who} renamed a vector store to {target}', PLACES),
      'vector_store.deleted': t('{who} deleted the vector store {target}', PLACES),
      'review.deleted': t('{who} deleted a review', PLACES),
      'assessment.deleted': t('{who} deleted an assessment', PLACES),
      'rubric.created': t('{who} created the rubric {target}', PLACES),
      'rubric.changed': t('{who} changed the rubric {target}', PLACES),
      'thread.erased': t('{who} erased a conversation', PLACES),
      'end_user.erased': t('{who} erased an end user', PLACES),
      'sample_data.loaded': t('{who} added the sample data', PLACES),
      'sample_data.removed': t('{who} removed the sample data', PLACES),
      'events.exported': t('{who} read a full page of events', PLACES),
      'training_data.exported': t('{who} exported training data', PLACES),
      'audit_log.exported': t('{who} exported the audit log', PLACES),
      'backup.downloaded': t('{who} downloaded a backup', PLACES),
    },
  },
];

const PHRASES = new Map(AREAS.flatMap(({ actions }) => Object.entries(actions)));

/** Names of users, and of the tenant, by their ids. */
export type Names = ReadonlyMap<string, string>;

export function actorOf({ actor }: Line, names: Names): string {
  if (actor.kind === 'operator') return t('The operator');
  if (actor.kind === 'key') return t('The key {label}', { label: actor.label });
  const name = names.get(actor.id ?? '') ?? actor.label;
  return actor.client === undefined ? name : t('{name} (through {client})', { name, client: actor.client });
}

/** "Ada rotated the key Nightly report"; an action without words here stands as it is. */
export function sentenceOf(line: Line, names: Names): string {
  const phrase = PHRASES.get(line.action) ?? `{who} ${line.action} {target}`;
  return phrase
    .replace(/\{(who|target)\}/g, (_, place) => (place === 'who' ? actorOf(line, names) : targetOf(line, names)))
    .trim();
}

function targetOf({ target, details, actor, action }: Line, names: Names): string {
  const { label, title, email } = details as Record<string, unknown>;
  for (const name of [label, title, email]) if (typeof name === 'string' && name !== '') return name;
  if (target === null) return action.startsWith('session.') ? t('users') : '';
  if (action === 'quota.changed') return names.get(target) ?? t('the key {label}', { label: target });
  const isOwn = actor.kind === 'user' && actor.id === target;
  return isOwn ? t('their own account') : (names.get(target) ?? target);
}

/** The facts that a reader wants to know without opening the line. */
export function asideOf({ details }: Line): string | null {
  const { reason, repeated, leftOut, route } = details as Record<string, unknown>;
  const parts = [
    typeof route === 'string' && route,
    typeof reason === 'string' && reason,
    typeof repeated === 'number' &&
      t.count(repeated, '{count} more time within a minute', '{count} more times within a minute'),
    typeof leftOut === 'number' &&
      t.count(leftOut, '{count} different one within a minute', '{count} different ones within a minute'),
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(' · ') : null;
}
