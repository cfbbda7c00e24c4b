import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NewCall } from "@parley/contract/calls";
import { readSettings } from "@parley/server/platform/config/read-settings";
import { readSnippets } from "@parley/tools/snippets/read-snippets";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { REPOSITORY } from "../../harness/service-process.ts";
import { findUnknownFields, findWrongValues } from "./check-manifests.ts";
import { lintChart, type Manifest, renderChart } from "./helm.ts";

const read = (path: string) => readFileSync(join(REPOSITORY, path), "utf8");
const REQUIRED = {
  image: { repository: "registry.example/parley" },
  secretName: "parley-secrets",
  publicUrl: "https://parley.example",
  bucket: { name: "recordings" },
};
const EVERYTHING = {
  ...REQUIRED,
  image: { repository: "registry.example/parley", tag: "edge", pullPolicy: "Always" },
  imagePullSecrets: [{ name: "registry" }],
  bucket: { name: "recordings", endpoint: "http://minio.storage:9000", region: "eu-central-1" },
  serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/parley" } },
  settings: { PARLEY_RATE_LIMIT: 500, PARLEY_TRANSCRIPT_SECOND_PASS: "base" },
  api: { autoscaling: { enabled: true }, nodeSelector: { pool: "web" } },
  calls: {
    autoscaling: { enabled: true, usedPercent: 65 },
    sip: { hostNetwork: true },
    tolerations: [{ key: "voice", operator: "Exists" }],
  },
  ingress: { enabled: true, className: "nginx", tlsSecretName: "parley-tls" },
  trustedProxies: ["10.1.0.0/16"],
  monitoring: { serviceMonitor: { enabled: true, labels: { release: "prometheus" } } },
  networkPolicy: {
    ingressFrom: [{ namespaceSelector: { matchLabels: { name: "ingress" } } }],
    databaseTo: [{ ipBlock: { cidr: "10.2.0.0/16" } }],
    extraEgress: [{ ports: [{ port: 9000 }] }],
  },
};
/** What the Secret contains that the operator makes. */
const SECRETS = {
  PARLEY_SECRET: "a secret of more than thirty-two characters",
  DATABASE_URL: "postgresql://parley:password@db.example/parley",
  PARLEY_OPERATOR_TOKEN: "a token of the operator",
};

const minimal = renderChart(REQUIRED);
const full = renderChart(EVERYTHING);
const variants: [string, Manifest[]][] = [
  ["with the required values only", minimal],
  ["with everything", full],
];

const ofKind = (manifests: readonly Manifest[], kind: string) => manifests.filter((each) => each.kind === kind);
const find = (manifests: readonly Manifest[], kind: string, name: string) => {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (!found) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const podsOf = (manifests: readonly Manifest[]) =>
  [...ofKind(manifests, "Deployment"), ...ofKind(manifests, "Job")].map(({ metadata, spec }) => ({
    name: metadata.name,
    labels: spec.template.metadata.labels as Record<string, string>,
    spec: spec.template.spec,
    container: spec.template.spec.containers[0],
  }));
const isSelected = (selector: Record<string, string>, labels: Record<string, string>) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

interface Named {
  readonly name: string;
}
interface Variable extends Named {
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef?: { fieldPath: string }; readonly resourceFieldRef?: { resource: string } };
}

/** The environment of a container, with what Kubernetes fills in. */
function environmentOf(container: ReturnType<typeof podsOf>[number]["container"]): Record<string, string> {
  const filledIn: Record<string, string> = {
    "status.podIP": "10.0.0.7",
    "status.hostIP": "192.0.2.7",
    "requests.cpu": String(container.resources.requests.cpu),
  };
  const given = container.env.map(({ name, value, valueFrom }: Variable) => [
    name,
    value ?? filledIn[valueFrom?.fieldRef?.fieldPath ?? valueFrom?.resourceFieldRef?.resource ?? ""],
  ]);
  return { ...SECRETS, ...Object.fromEntries(given) };
}

test("the values of the recipe give what it says", async () => {
  const path = "docs/recipes/kubernetes.md";
  const [values] = readSnippets(path, read(path)).filter(({ language }) => language === "yaml");
  const manifests = renderChart(parse(values?.text ?? ""));
  expect(await findWrongValues(manifests)).toEqual([]);
  for (const { container } of podsOf(manifests)) readSettings(environmentOf(container), "/nowhere");
  // The names that its commands use.
  expect(find(manifests, "Deployment", "parley-api").spec.template.spec.containers[0]).toMatchObject({
    image: "registry.example/parley:0.1.0",
    envFrom: [{ secretRef: { name: "parley" } }],
  });
  expect(ofKind(manifests, "Ingress")).toHaveLength(1);
});

describe.each(variants)("a chart rendered %s", (_name, manifests) => {
  test("has only values that Kubernetes accepts", async () => {
    expect(await findWrongValues(manifests)).toEqual([]);
  });

  test("runs each role with settings that the service accepts", () => {
    const roles = ofKind(manifests, "Deployment").map(({ spec }) => {
      const container = spec.template.spec.containers[0];
      const settings = readSettings(environmentOf(container), "/nowhere");
      const { roles, publicUrl, isOnLoopback, telemetry, bucket, databaseUrl, secret } = settings;
      const ports = container.ports.map((port: Record<string, unknown>) => port["containerPort"]);
      expect(ports).toContain(telemetry.health?.port);
      if (roles.includes("api")) expect([ports.includes(settings.port), isOnLoopback]).toEqual([true, false]);
      if (roles.includes("calls")) {
        expect(settings.internal).toMatchObject({ host: "10.0.0.7", port: 7001 });
        expect([ports.includes(settings.internal.port), settings.cores]).toEqual([true, 3]);
      }
      expect([publicUrl, bucket?.bucket, databaseUrl, secret]).toEqual([
        "https://parley.example",
        "recordings",
        SECRETS.DATABASE_URL,
        SECRETS.PARLEY_SECRET,
      ]);
      return roles;
    });
    expect(roles).toEqual([["api"], ["calls"], ["jobs"]]);
  });

  test("gives no pod a privilege, a token, a writable root or variables of other Services", () => {
    for (const { spec, container } of podsOf(manifests)) {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      const { PARLEY_DATA_DIR: dataDir = "" } = environmentOf(container);
      const mounts = container.volumeMounts.map((mount: { mountPath: string }) => mount.mountPath);
      expect(mounts.filter((path: string) => dataDir.startsWith(path))).toHaveLength(1);
      expect(mounts).toContain("/tmp");
    }
  });

  test("refers to the operator's Secret and contains none", () => {
    expect(ofKind(manifests, "Secret")).toEqual([]);
    for (const { container } of podsOf(manifests)) {
      expect(container.envFrom).toEqual([{ secretRef: { name: "parley-secrets" } }]);
    }
  });

  test("lets a call end before its process is killed", () => {
    const { maxDurationSeconds, ringTimeoutSeconds } = NewCall.shape;
    const longest = Number(maxDurationSeconds.unwrap().maxValue) + Number(ringTimeoutSeconds.unwrap().maxValue);
    const { terminationGracePeriodSeconds } = find(manifests, "Deployment", "parley-calls").spec.template.spec;
    expect(terminationGracePeriodSeconds).toBeGreaterThan(longest);
    const api = find(manifests, "Deployment", "parley-api").spec.template.spec;
    const { PARLEY_SHUTDOWN_DELAY_SECONDS: delay } = environmentOf(api.containers[0]);
    const { periodSeconds, failureThreshold } = api.containers[0].readinessProbe;
    expect(Number(delay)).toBeGreaterThanOrEqual(2 * periodSeconds * failureThreshold);
    expect(api.terminationGracePeriodSeconds).toBeGreaterThan(Number(delay));
  });

  test("selects pods that exist, by ports that they have", () => {
    const pods = podsOf(manifests);
    const selectedBy = (selector: Record<string, string>) => pods.filter(({ labels }) => isSelected(selector, labels));
    const roles = pods.filter(({ name }) => !name.endsWith("-migrate"));
    for (const { spec } of ofKind(manifests, "Deployment")) {
      expect(selectedBy(spec.selector.matchLabels)).toHaveLength(1);
    }
    for (const { spec } of ofKind(manifests, "PodDisruptionBudget")) {
      expect(selectedBy(spec.selector.matchLabels)).toHaveLength(1);
    }
    for (const { metadata, spec } of ofKind(manifests, "Service")) {
      const names = selectedBy(spec.selector).map(({ name }) => name);
      const expected = metadata.name === "parley" ? ["parley-api"] : pods.map(({ name }) => name);
      expect(names).toEqual(expected);
      for (const { targetPort } of spec.ports) {
        const having = roles.filter(({ container }) => container.ports.some(({ name }: Named) => name === targetPort));
        expect(having.map(({ name }) => name)).toEqual(expected.filter((name) => !name.endsWith("-migrate")));
      }
    }
    for (const { spec } of ofKind(manifests, "NetworkPolicy")) {
      expect(selectedBy(spec.podSelector.matchLabels).length).toBeGreaterThan(0);
    }
    for (const { spec } of ofKind(manifests, "ServiceMonitor")) {
      const services = ofKind(manifests, "Service").filter(({ metadata }) =>
        isSelected(spec.selector.matchLabels, metadata.labels),
      );
      expect(services.map(({ metadata }) => metadata.name)).toEqual(["parley-metrics"]);
      expect(services[0]?.spec.ports.map(({ name }: Named) => name)).toContain(spec.endpoints[0].port);
    }
    for (const { spec } of ofKind(manifests, "HorizontalPodAutoscaler")) {
      expect(find(manifests, "Deployment", spec.scaleTargetRef.name).spec).not.toHaveProperty("replicas");
    }
  });

  test("migrates before anything is replaced, by a command that exists", () => {
    const { metadata, spec } = find(manifests, "Job", "parley-migrate");
    expect(metadata.annotations?.["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
    const [entry, ...command] = spec.template.spec.containers[0].args as string[];
    expect(read(entry ?? "")).toContain("runCommandLine");
    expect(command).toEqual(["migrate"]);
    // A hook runs before the rest exists.
    expect(spec.template.spec).not.toHaveProperty("serviceAccountName");
  });
});

test("no manifest has a field that Kubernetes does not know", () => {
  expect(findUnknownFields([...minimal, ...full])).toBe("");
});

test("a field that Kubernetes does not know is noticed", async () => {
  const { spec, ...service } = find(minimal, "Service", "parley");
  const misspelled = { ...service, spec: { ...spec, typ: "ClusterIP" } };
  expect(findUnknownFields([misspelled])).toContain("'\"typ\"' does not exist");
  const wrong = { ...service, spec: { ...spec, ports: [{ port: "eighty" }] } };
  expect(await findWrongValues([wrong])).toEqual([expect.stringContaining("must be integer")]);
});

test("Helm's own linter has nothing to say", () => {
  expect(lintChart(EVERYTHING)).toBe("");
});

test.each([
  ["no values at all", {}, "/secretName"],
  ["an unknown value", { ...REQUIRED, replicas: 3 }, "additional properties 'replicas' not allowed"],
  ["a secret among the settings", { ...REQUIRED, settings: { PARLEY_OPENAI_API_KEY: "sk" } }, "PARLEY_OPENAI_API_KEY"],
  ["the database among the settings", { ...REQUIRED, settings: { DATABASE_URL: "postgresql://x" } }, "DATABASE_URL"],
  ["a setting that the chart decides", { ...REQUIRED, settings: { PARLEY_ROLES: "api" } }, "PARLEY_ROLES"],
  ["a call longer than the API allows", { ...REQUIRED, calls: { longestCallSeconds: 9000 } }, "longestCallSeconds"],
])("%s is refused", (_name, values, reason) => {
  expect(() => renderChart(values)).toThrow(reason);
});

test("with SIP trunks, pods have the addresses and ports of their nodes, one on each", () => {
  const { spec } = find(full, "Deployment", "parley-calls").spec.template;
  expect(spec).toMatchObject({ hostNetwork: true, dnsPolicy: "ClusterFirstWithHostNet" });
  expect(environmentOf(spec.containers[0])).toMatchObject({ PARLEY_SIP_PUBLIC_HOST: "192.0.2.7" });
  expect(spec.containers[0].ports).toContainEqual({ name: "sip-udp", containerPort: 5060, protocol: "UDP" });
  const chosen = renderChart({ ...EVERYTHING, settings: { PARLEY_SIP_PUBLIC_HOST: "198.51.100.9" } });
  const { containers } = find(chosen, "Deployment", "parley-calls").spec.template.spec;
  const named = containers[0].env.filter(({ name }: { name: string }) => name === "PARLEY_SIP_PUBLIC_HOST");
  expect(named).toEqual([{ name: "PARLEY_SIP_PUBLIC_HOST", value: "198.51.100.9" }]);
});

test("workers are started by the share of calls that they hold, which Prometheus computes", () => {
  const { spec } = find(full, "HorizontalPodAutoscaler", "parley-calls");
  const { metric, target } = spec.metrics[0].external;
  expect(target).toEqual({ type: "Value", value: "650m" });
  const { rules } = parse(read("deploy/helm/prometheus-adapter.yaml"));
  const [rule] = rules.external;
  expect(rule.name.as).toBe(metric.name);
  const expression = rule.metricsQuery
    .replaceAll("<<.LabelMatchers>>", 'namespace="voice"')
    .replaceAll("<<.GroupBy>>", "namespace");
  // Two processes report the same two workers, which hold 30 of 40 calls; another namespace has its own.
  const series = [
    ['parley_worker_calls{namespace="voice", pod="a", worker="1"}', 10],
    ['parley_worker_calls{namespace="voice", pod="a", worker="2"}', 20],
    ['parley_worker_calls{namespace="voice", pod="b", worker="1"}', 10],
    ['parley_worker_calls{namespace="voice", pod="b", worker="2"}', 20],
    ['parley_worker_calls_max{namespace="voice", pod="a", worker="1"}', 20],
    ['parley_worker_calls_max{namespace="voice", pod="a", worker="2"}', 20],
    ['parley_worker_calls_max{namespace="voice", pod="b", worker="1"}', 20],
    ['parley_worker_calls_max{namespace="voice", pod="b", worker="2"}', 20],
    ['parley_worker_calls{namespace="other", pod="c", worker="3"}', 1],
    ['parley_worker_calls_max{namespace="other", pod="c", worker="3"}', 50],
  ];
  const unitTest = {
    tests: [
      {
        input_series: series.map(([name, value]) => ({ series: name, values: String(value) })),
        promql_expr_test: [{ expr: expression, exp_samples: [{ labels: '{namespace="voice"}', value: 0.75 }] }],
      },
    ],
  };
  const folder = mkdtempSync(join(tmpdir(), "parley-promtool-"));
  try {
    writeFileSync(join(folder, "test.yml"), stringify(unitTest));
    const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", join(folder, "test.yml")], {
      encoding: "utf8",
    });
    expect(stdout + stderr).toContain("SUCCESS");
    expect(status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the chart has the version of the release", () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  expect(parse(read("deploy/helm/parley/Chart.yaml"))).toMatchObject({ version, appVersion: version });
});
