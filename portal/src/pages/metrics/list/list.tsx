import { Link } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { AGGREGATE } from '../../../api/answers.ts';
import { api } from '../../../api/client.ts';
import type { Metric } from '../../../api/metrics.ts';
import { useAgent } from '../../../shell/remembered.ts';
import { Item, ItemList } from '../../../ui/item-list.tsx';
import { formatValue } from '../format.ts';
import { StateBadges } from '../state-badge.tsx';

export function MetricList({ label, metrics }: { label: string; metrics: readonly Metric[] }) {
  return (
    <ItemList label={label}>
      {metrics.map((metric) => (
        <MetricItem key={metric.name} metric={metric} />
      ))}
    </ItemList>
  );
}

function MetricItem({ metric }: { metric: Metric }) {
  const { name, title, description, owner } = metric;
  return (
    <Item
      title={
        <Link className="item-link" to="/metrics/$name" params={{ name }} preload={false}>
          {title}
        </Link>
      }
      beside={<StateBadges metric={metric} />}
      end={<Value metric={metric} />}
    >
      {description && <p className="clamped muted">{description}</p>}
      <p className="small muted">
        <code>{name}</code>
        {owner && ` · ${owner}`}
      </p>
    </Item>
  );
}

/** The value of the last 30 days, requested once the row is seen. */
function Value({ metric }: { metric: Metric }) {
  const place = useRef<HTMLParagraphElement>(null);
  const isSeen = useSeen(place);
  const agentId = useAgent() ?? '*';
  const { data, isPending, error } = api.useQuery(
    'post',
    AGGREGATE,
    { body: { metric: metric.name, agentId, dateFrom: '-30d' } },
    { enabled: isSeen },
  );
  return (
    <p ref={place} className="item-value" aria-busy={isPending && isSeen}>
      {data && (
        <>
          <strong>{formatValue(data.value, metric, navigator.language)}</strong>
          <span className="small muted">last 30 days</span>
        </>
      )}
      {error !== null && <span className="small muted">no answer</span>}
    </p>
  );
}

/** True once the element has been near the visible part of the page: for rows that request something. */
function useSeen(element: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (isSeen || !element.current) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isSeen]);
  return isSeen;
}
