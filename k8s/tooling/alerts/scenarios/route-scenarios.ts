import { AlertScenario } from './alert-scenario';

const answers = (route: string, status: string): string =>
  `gateway_requests_total{route="${route}",status="${status}"}`;
const reads = (status: string): string => `competition_read_requests_total{operation="getPlayer",status="${status}"}`;

/** Scenarios for the alerts about what the gateway answers, by route. */
export const routeScenarios: readonly AlertScenario[] = [
  {
    alert: 'PublicRoutesFail',
    when: 'competition-read refuses the internal token, which it counts as 401',
    series: {
      [reads('200')]: '0+100x10 1000x40',
      [reads('401')]: '0x10 0+100x40',
      [answers('data', '200')]: '0+100x10 1000x40',
      [answers('data', '503')]: '0x10 0+100x40',
    },
    at: '20m',
    fires: [{ route: 'data' }],
  },
  {
    alert: 'PublicRoutesFail',
    when: 'the gateway gets no answer of linkage, whose metrics show no request, and few users come',
    series: {
      [answers('connect', '200')]: '0+1x10 10x50',
      [answers('connect', '503')]: '0x10 0+1x50',
      [answers('oauth-callback', '503')]: '0x10 0+1x50',
      [answers('docs', '200')]: '0+5x60',
      [answers('docs', '503')]: '0x60',
    },
    at: '25m',
    fires: [{ route: 'connect' }, { route: 'oauth-callback' }],
  },
  {
    alert: 'PublicRoutesFail',
    when: 'a service behind the gateway restarts for a minute',
    series: {
      [answers('data', '200')]: '0+100x60',
      [answers('data', '503')]: '0x20 100 200x39',
    },
    at: '15m',
    fires: [],
  },
  {
    alert: 'PublicRoutesFail',
    when: 'events are refused, which has an alert of its own',
    series: {
      [answers('send-event', '503')]: '0+10x60',
      [answers('send-event-batch', '503')]: '0+10x60',
    },
    at: '25m',
    fires: [],
  },
  {
    alert: 'OperatorRoutesFail',
    when: 'the gateway gets no answer of engagement',
    series: {
      [answers('admin-tasks', '503')]: '0x10 0+1x50',
      [answers('admin-links', '200')]: '0+2x60',
      [answers('admin-links', '503')]: '0x60',
    },
    at: '25m',
    fires: [{ route: 'admin-tasks' }],
  },
  {
    alert: 'OperatorRoutesFail',
    when: 'one of three requests of an operator fails',
    series: { [answers('admin-tasks', '200')]: '0x20 2x40', [answers('admin-tasks', '500')]: '0x20 1x40' },
    at: '18m',
    fires: [],
  },
];
