// The manifests of Kubernetes: each service would start with what it is given, has no more than it needs, and its pod is one
// that a namespace with Pod Security "restricted" takes (https://kubernetes.io/docs/concepts/security/pod-security-standards/).

import { readFileSync } from 'node:fs';
import { join, parse as parsePath } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { loadConfig, loadInboundConfig, loadSchedulerConfig, settings } from '../../../core/base/config.ts';
import { METRICS_OFFSET, METRICS_PORT } from '../../../core/base/metrics-ports.ts';
import { headerLine } from '../../../local/manifests/chart.ts';
import {
  manifestFiles,
  manifests,
  workloads,
  type Manifest,
  type Workload,
} from '../../harness/manifests.ts';

const BY_HAND = ['kustomization.yaml', 'namespace.yaml', 'secret.example.yaml'];
const LOAD = {
  api: loadConfig,
  sender: loadConfig,
  inbound: loadInboundConfig,
  scheduler: loadSchedulerConfig,
};
const services = workloads().filter(({ kind }) => kind !== 'Job');
const byName = (kind: string, name: string) => manifests(kind).find(({ metadata }) => metadata.name === name);
const containerOf = ({ spec }: Workload) => spec.template.spec.containers[0];
const serviceOf = (one: Workload) => parsePath(containerOf(one).args[0]!).name as keyof typeof LOAD;
const SECRETS = { MASTER_KEY: 'a'.repeat(64), INTERNAL_TOKEN: 'b'.repeat(48) };

function secretOf(one: Workload): Record<string, string> {
  const { name } = containerOf(one).envFrom.find(({ secretRef }) => secretRef)!.secretRef!;
  const { stringData } = byName('Secret', name)!;
  return Object.fromEntries(
    Object.entries(stringData!).map(([key, value]) => [key, SECRETS[key as 'MASTER_KEY'] ?? value]),
  );
}

function environmentOf(one: Workload): Record<string, string> {
  const { env = [] } = containerOf(one);
  return {
    ...byName('ConfigMap', 'postrider')!.data,
    ...secretOf(one),
    ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
  };
}

test('they are those of the chart as it is now, and all are in the kustomization', () => {
  const made = [...manifestFiles()].filter(([name]) => !BY_HAND.includes(name));
  for (const [name, text] of made) expect([name, text.split('\n')[0]]).toEqual([name, headerLine()]);
  const { resources } = parse(manifestFiles().get('kustomization.yaml')!) as { resources: string[] };
  expect(new Set(resources)).toEqual(new Set(['namespace.yaml', ...made.map(([name]) => name)]));
  expect(services.map(({ metadata }) => metadata.name)).toEqual(
    expect.arrayContaining(['api', 'sender', 'sender-bulk', 'inbound', 'scheduler']),
  );
});

test.each(services.map((one) => [one.metadata.name, one] as const))(
  '%s starts with its settings, which all exist, and has no secret that it could do without',
  (_name, one) => {
    const env = environmentOf(one);
    expect(Object.keys(env).filter((name) => !(name in settings.shape))).toEqual([]);
    const loaded = LOAD[serviceOf(one)](env);
    expect(loaded).toMatchObject({ BIND_ADDRESS: '0.0.0.0' });
    const sensitive = ['DATABASE_URL', 'REDIS_URL', 'NATS_URL', 'MASTER_KEY', 'INTERNAL_TOKEN'];
    expect(Object.keys(secretOf(one))).toEqual(sensitive.filter((name) => name in loaded));
  },
);

test('the migration has the database and nothing else', () => {
  const migrate = workloads().find(({ kind }) => kind === 'Job');
  expect(Object.keys(secretOf(migrate!))).toEqual(['DATABASE_URL']);
  expect(containerOf(migrate!).envFrom).toHaveLength(1);
  expect(migrate!.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
});

test.each(workloads().map((one) => [one.metadata.name, one] as const))(
  '%s passes Pod Security "restricted", writes nowhere but to its /tmp, and is bounded',
  (_name, { spec }) => {
    const { securityContext, containers, volumes, automountServiceAccountToken, ...pod } = spec.template.spec;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(securityContext['runAsUser']).toBeGreaterThan(0);
    expect(automountServiceAccountToken).toBe(false);
    for (const door of ['hostNetwork', 'hostPID', 'hostIPC', 'initContainers', 'ephemeralContainers'])
      expect(pod).not.toHaveProperty(door);
    expect(containers).toHaveLength(1);
    expect(containers[0].securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(Object.keys(containers[0].resources.limits)).toEqual(['memory']);
    expect(Object.keys(containers[0].resources.requests)).toEqual(['cpu', 'memory']);
    for (const { name: _, ...volume } of volumes) {
      const [kind] = Object.keys(volume);
      expect(['emptyDir', 'secret']).toContain(kind);
    }
    for (const { ports = [] } of containers)
      for (const port of ports) expect(port).not.toHaveProperty('hostPort');
  },
);

test('senders are found by the names of their headless services, which the certificate of gRPC has', () => {
  const port = settings.shape.SENDER_GRPC_PORT.parse(undefined);
  const addressOf = (name: string) => `dns:///${name}.postrider.svc:${port}`;
  const of = (name: string) =>
    environmentOf(services.find(({ metadata }) => metadata.name === name)!)['SENDER_ADDRESSES'];
  expect(of('api')).toBe(addressOf('sender'));
  expect(of('scheduler')).toBe([addressOf('sender-bulk'), addressOf('sender')].join(','));
  for (const name of ['sender', 'sender-bulk'])
    expect(byName('Service', name)!.spec).toMatchObject({ clusterIP: 'None', selector: { app: name } });
  const chart = readFileSync(
    join(import.meta.dirname, '../../../deploy/helm/templates/certificates.yaml'),
    'utf8',
  );
  for (const name of ['sender', 'sender-bulk']) expect(chart).toContain(`- ${name}.{{ $ns }}.svc\n`);
});

test.each(services.map((one) => [one.metadata.name, one] as const))(
  '%s is asked at its own ports, spread, protected from evictions, and let in only who has to do with it',
  (name, one) => {
    const { ports = [], readinessProbe } = containerOf(one);
    const shape = settings.shape;
    const own = {
      api: [shape.API_HTTPS_PORT, shape.API_HTTP_PORT, shape.SUBMISSION_PORT, shape.SUBMISSIONS_PORT],
      sender: [shape.SENDER_GRPC_PORT],
      inbound: [shape.INBOUND_SMTP_PORT],
      scheduler: [],
    }[serviceOf(one)].map((setting) => setting.parse(undefined));
    const metrics = METRICS_PORT + METRICS_OFFSET[serviceOf(one)];
    expect(ports.map(({ containerPort }) => containerPort)).toEqual([...own, metrics]);
    expect(readinessProbe.httpGet).toEqual({ path: '/readyz?for=traffic', port: 'metrics' });
    const labels = { app: name };
    expect(one.spec.template.metadata.labels).toMatchObject(labels);
    for (const { labelSelector } of one.spec.template.spec.topologySpreadConstraints)
      expect(labelSelector.matchLabels).toEqual(labels);
    expect(byName('PodDisruptionBudget', name)!.spec).toMatchObject({
      maxUnavailable: 1,
      selector: { matchLabels: labels },
    });
    const policy = byName('NetworkPolicy', name) as unknown as Manifest<{
      podSelector: unknown;
      ingress: { from?: object[]; ports: { port: number }[] }[];
    }>;
    expect(policy.spec.podSelector).toEqual({ matchLabels: labels });
    const open = policy.spec.ingress.filter(({ from }) => from === undefined).flatMap((rule) => rule.ports);
    expect(open.map(({ port }) => port)).toEqual(serviceOf(one) === 'sender' ? [] : own);
    const all = policy.spec.ingress.flatMap((rule) => rule.ports).map(({ port }) => port);
    expect(all).toEqual([...own, metrics]);
  },
);

test('what is scaled has no number of its own, and follows a figure that its service exports', () => {
  const scaled = manifests('HorizontalPodAutoscaler') as unknown as Manifest<{
    metrics: { type: string; pods?: { metric: { name: string } } }[];
  }>[];
  expect(scaled.map(({ metadata }) => metadata.name).toSorted()).toEqual(['api', 'inbound', 'sender']);
  for (const { metadata, spec } of scaled) {
    const one = services.find((service) => service.metadata.name === metadata.name)!;
    expect(one.spec).not.toHaveProperty('replicas');
    const names = spec.metrics.flatMap(({ pods }) => (pods ? [pods.metric.name] : []));
    const folder = { sender: 'sender/deliver/delivery-metrics.ts', inbound: 'inbound/open-inbound.ts' }[
      metadata.name
    ];
    for (const name of names)
      expect(readFileSync(join(import.meta.dirname, '../../..', folder!), 'utf8')).toContain(`'${name}'`);
  }
});
