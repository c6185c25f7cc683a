import { PageHead } from '../../../ui/page-head.tsx';

export function QueryEvents() {
  return <PageHead title="Table" />;
}
