import { Link } from '@tanstack/react-router';
import { basePath } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { Icon } from '../ui/icon.tsx';

interface NestedProps {
  to:
    | '/explain'
    | '/segments'
    | '/terms'
    | '/annotations'
    | '/gaps'
    | '/digests'
    | '/applications'
    | '/events/query'
    | '/events/aggregate';
  label: string;
}

/** A page of a group. Narrow windows show those of the open group alone. */
function Nested({ to, label }: NestedProps) {
  return (
    <Link to={to} className="nested" activeOptions={{ includeSearch: false }}>
      {label}
    </Link>
  );
}

export function Navigation() {
  const { isAdministrator } = useSession();
  return (
    <nav className="navigation" aria-label="Main">
      <Link to="/" activeOptions={{ exact: true, includeSearch: false }}>
        <Icon name="dashboard" />
        Dashboards
      </Link>
      <div className="navigation-group">
        <Link to="/metrics" activeOptions={{ includeSearch: false }}>
          <Icon name="gauge" />
          Metrics
        </Link>
        <Nested to="/explain" label="Explain" />
        <Nested to="/segments" label="Segments" />
        <Nested to="/terms" label="Glossary" />
        <Nested to="/annotations" label="Annotations" />
        <Nested to="/gaps" label="Gaps" />
      </div>
      <div className="navigation-group">
        <Link to="/alerts" activeOptions={{ includeSearch: false }}>
          <Icon name="bell" />
          Alerts
        </Link>
        <Nested to="/digests" label="Digests" />
      </div>
      <div className="navigation-group">
        <Link to="/events" activeOptions={{ exact: true, includeSearch: false }}>
          <Icon name="events" />
          Events
        </Link>
        <Nested to="/events/query" label="Table" />
        <Nested to="/events/aggregate" label="KPI" />
      </div>
      <div className="navigation-group">
        <Link to="/connect" activeOptions={{ includeSearch: false }}>
          <Icon name="plug" />
          Connect
        </Link>
        <Nested to="/applications" label="Applications" />
      </div>
      {isAdministrator && (
        <Link to="/single-sign-on" activeOptions={{ includeSearch: false }}>
          <Icon name="key" />
          Single sign-on
        </Link>
      )}
      <a href={`${basePath}docs`}>
        <Icon name="code" />
        API reference
      </a>
    </nav>
  );
}
