import { PageHead } from '../../ui/page-head.tsx';

export function Dashboards() {
  return <PageHead title="Dashboards" />;
}
