import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';
import { Button } from '../../ui/button.tsx';
import { Badge, Item } from '../../ui/item-list.tsx';
import { Time } from '../../ui/time.tsx';
import { browserName } from './browser-name.ts';

interface SessionItemProps {
  session: Schemas['UserSession'];
  /** Why it cannot be ended here. */
  reason?: string | undefined;
  /** Null for a session that has no button. */
  onEnd: (() => void) | null;
}

export function SessionItem({ session, reason, onEnd }: SessionItemProps) {
  const { current, createdAt, lastSeenAt, address, userAgent } = session;
  return (
    <Item
      title={browserName(userAgent)}
      beside={current && <Badge tone="good">{t('this one')}</Badge>}
      end={
        onEnd && (
          <Button aria-label={t('End the session from {address}', { address })} reason={reason} onClick={onEnd}>
            {t('End')}
          </Button>
        )
      }
    >
      <p className="small muted">
        {t.nodes('From {address}, since {start}, last seen {seen}', {
          address,
          start: <Time iso={createdAt} />,
          seen: <Time iso={lastSeenAt} />,
        })}
      </p>
    </Item>
  );
}
