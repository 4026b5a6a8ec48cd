// The manifests of deploy/kubernetes, as objects.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

/** A container of a pod; what tests ask of it. */
export interface Container {
  name: string;
  args: string[];
  env?: { name: string; value: string }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  readinessProbe: { httpGet: { path: string; port: string } };
  securityContext: Record<string, unknown>;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  volumeMounts: { name: string; mountPath: string }[];
}

/** A pod. */
export interface Pod {
  terminationGracePeriodSeconds: number;
  containers: [Container];
  securityContext: Record<string, unknown>;
  automountServiceAccountToken: boolean;
  topologySpreadConstraints: {
    topologyKey: string;
    labelSelector: { matchLabels: Record<string, string> };
  }[];
  volumes: Record<string, unknown>[];
}

/** Any object of Kubernetes. */
export interface Manifest<Spec = Record<string, unknown>> {
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: Spec;
  data?: Record<string, string>;
  stringData?: Record<string, string>;
}

/** What runs pods. */
export type Workload = Manifest<{
  replicas?: number;
  selector: { matchLabels: Record<string, string> };
  template: { metadata: { labels: Record<string, string> }; spec: Pod };
}>;

const FOLDER = join(import.meta.dirname, '../../deploy/kubernetes');

/** File name → text. */
export function manifestFiles(): Map<string, string> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
  return new Map(names.map((name) => [name, readFileSync(join(FOLDER, name), 'utf8')]));
}

/** All objects, or those of one kind. */
export function manifests(kind?: string): Manifest[] {
  const all = [...manifestFiles()]
    .filter(([name]) => name !== 'kustomization.yaml')
    .flatMap(([, text]) => parseAllDocuments(text).map((document) => document.toJS() as Manifest));
  return all.filter((one) => kind === undefined || one.kind === kind);
}

/** Everything that runs pods. */
export function workloads(): Workload[] {
  return manifests().filter(({ kind }) =>
    /^(Deployment|StatefulSet|Job)$/.test(kind),
  ) as unknown as Workload[];
}
