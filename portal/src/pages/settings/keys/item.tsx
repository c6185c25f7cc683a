import { Link } from '@tanstack/react-router';
import { useSession } from '../../../api/session.ts';
import { t } from '../../../language/index.ts';
import { limitsInWords } from '../../../limits/words.ts';
import { Actions, Badge, Item } from '../../../ui/item-list.tsx';
import { Time, When } from '../../../ui/time.tsx';
import { type KeyChange, makerOf } from './keys.ts';
import { reasonAgainst, scopeText } from './scopes.ts';
import { stateOf } from './state.ts';
import type { Key } from './types.ts';

export function KeyItem({ apiKey: key, onChange }: { apiKey: Key; onChange(change: KeyChange): void }) {
  const { scopes: held } = useSession();
  const { id, label, scopes, limits, agentId, lastUsedAt, formerSecretUntil, revokedAt } = key;
  const { works, ...badge } = stateOf(key, Date.now());
  const reason = works ? reasonAgainst(scopes, held) : t('It has expired: make a new key.');
  return (
    <Item
      title={label}
      beside={<Badge tone={badge.tone}>{badge.label}</Badge>}
      end={
        revokedAt === null && (
          <Actions
            actions={[
              {
                label: t('Rotate …'),
                name: t('Rotate {label}', { label }),
                reason,
                onClick: () => onChange({ kind: 'rotate', key }),
              },
              {
                label: t('Revoke …'),
                name: t('Revoke {label}', { label }),
                onClick: () => onChange({ kind: 'revoke', key }),
              },
            ]}
          />
        )
      }
    >
      <p className="small clamped" title={scopes.join(' ')}>
        {scopes.map(scopeText).join(' · ')}
      </p>
      {limits && <p className="small">{limitsInWords(limits)}</p>}
      <p className="small muted">
        <code>{id}</code> · {agentId !== null && `${t('agent {name}', { name: agentId })} · `}
        {t.nodes('made by {maker} on {time}', { maker: <MakerLink of={key} />, time: <Time iso={key.createdAt} /> })}
      </p>
      <p className="small muted">
        <When text="last used {time}" iso={lastUsedAt} none={t('not used yet')} /> · <End of={key} />
      </p>
      {formerSecretUntil !== null && (
        <p className="small">
          <When text="The secret before the rotation works until {time}." iso={formerSecretUntil} />
        </p>
      )}
    </Item>
  );
}

/** Leads to all keys of that person. */
function MakerLink({ of: key }: { of: Key }) {
  const { user } = useSession();
  const maker = makerOf(key);
  if (maker === null) return t('the operator');
  const link = (
    <Link to="." search={(before) => ({ ...before, maker: maker.id, leavers: undefined, page: undefined })}>
      {maker.id === user.id ? t('you') : maker.name}
    </Link>
  );
  return key.maker!.isActive ? link : t.nodes('{maker}, who left,', { maker: link });
}

function End({ of: { revokedAt, expiresAt } }: { of: Key }) {
  if (revokedAt !== null) return <When text="revoked {time}" iso={revokedAt} />;
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return <When text={isOver ? 'expired {time}' : 'expires {time}'} iso={expiresAt} none={t('never expires')} />;
}
