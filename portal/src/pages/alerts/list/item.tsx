import { Link } from '@tanstack/react-router';
import { Item } from '../../../ui/item-list.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Alert } from '../alerts.ts';
import { AskedInWords, useValueFormatter } from '../asked.tsx';
import { StateBadges } from '../state-badge.tsx';
import { bucketInWords, bucketOf, conditionInWords } from '../words.ts';

export function AlertItem({ alert }: { alert: Alert }) {
  const { id, title, condition, lastCheck, nextCheckAt, disabledReason } = alert;
  const formatted = useValueFormatter(alert);
  return (
    <Item
      title={
        <Link className="item-link" to="/alerts/$id" params={{ id }} preload={false}>
          {title}
        </Link>
      }
      beside={<StateBadges alert={alert} />}
      end={
        lastCheck !== null &&
        lastCheck.bucket !== null && (
          <p className="item-value">
            <strong>{formatted(lastCheck.value)}</strong>
            <span className="small muted">{bucketInWords(lastCheck.bucket, bucketOf(alert))}</span>
          </p>
        )
      }
    >
      <p>
        <AskedInWords alert={alert} isLinked={false} /> · {conditionInWords(condition, formatted)}
      </p>
      {disabledReason !== undefined && <p>{disabledReason}</p>}
      {lastCheck?.error != null && <p className="bad-text">{lastCheck.error}</p>}
      <p className="small muted">
        {lastCheck === null ? 'Not checked yet' : 'Checked '}
        {lastCheck !== null && <Time iso={lastCheck.at} />}
        {nextCheckAt !== null && (
          <>
            {' · next check '}
            <Time iso={nextCheckAt} />
          </>
        )}
      </p>
    </Item>
  );
}
