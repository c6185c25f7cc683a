import { PageHead } from '../../../ui/page-head.tsx';

export function AggregateEvents() {
  return <PageHead title="KPI" />;
}
