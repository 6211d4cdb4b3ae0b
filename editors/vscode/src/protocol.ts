/** The server's own messages (docs/protocol.md), and how they read in the status bar. Pure. */

export interface ModelStatus {
  state: "off" | "loading" | "ready" | "busy" | "slow" | "failed";
  name: string;
  starter: boolean;
  progress: number;
  detail: string;
  /** Tokens a second, measured on this machine; 0 while unknown. */
  prefill: number;
  decode: number;
}

export interface GenerationStatus {
  title: string;
  stage: "by rule" | "reading" | "reasoning" | "writing" | "checking" | "repairing";
  candidate: number;
  candidates: number;
  round: number;
  tokens: number;
}

export interface ServerStatus {
  state: "ready" | "busy" | "loading" | "warning" | "error" | "off";
  message: string;
  detail: string;
  model: ModelStatus | null;
  generationModel: ModelStatus | null;
  checker: { state: string; detail: string } | null;
  runners: { name: string; state: string; detail: string }[];
  generation: GenerationStatus | null;
  completion: { enabled: boolean; trigger: string };
}

export interface ReasoningPiece {
  generation: string;
  title: string;
  text: string;
  done: boolean;
}

export interface GenerationOutcome {
  applied: boolean;
  reason?: string;
  title?: string;
  errors?: number;
}

export type Measurement =
  /** `instead` is what can be done with the same arguments where nothing measures. */
  | { reason: string; instead?: { title: string; command: string } }
  | { entry: string; kind: "measured" | "simulated" | "replayed"; medianUs: number; chip: string; warnings?: string[] };

export type Verification =
  | { reason: string }
  | {
      entry: string;
      verdict: "right" | "wrong" | "not_executed" | "failed";
      by: string;
      cases: number;
      message: string;
      /** What the cases were made from where nobody wrote any. */
      madeFrom: string;
    };

export const methods = {
  status: "kernelgen/status",
  reasoning: "kernelgen/reasoning",
} as const;

/** Commands of the server that generate, with what their progress is called: they show it and can be cancelled. */
export const generating = new Map([
  ["kernelgen.generateKernel", "Generate kernel"],
  ["kernelgen.fix", "Fix with KernelGen"],
  ["kernelgen.fixAll", "Fix with KernelGen"],
  ["kernelgen.fixWrongValues", "Fix wrong values with KernelGen"],
]);

/** The command of the server that measures: it shows progress and can be cancelled too. */
export const measuring = "kernelgen.measure";

/** The command of the server that runs a kernel on its cases: the same. */
export const verifying = "kernelgen.verify";

/** The command of the server that writes the cases it has made as a file. */
export const writingCases = "kernelgen.writeCases";

/** Commands of the server that a workspace has to be trusted for: they read its files into a compiler, a model or a runner. */
export const trustedOnly = new Set([...generating.keys(), measuring, verifying, writingCases, "kernelgen.checkNow"]);

export interface Presentation {
  text: string;
  tooltip: string;
  severity: "none" | "warning" | "error";
}

const icons: Record<ServerStatus["state"], string> = {
  ready: "$(sparkle)",
  busy: "$(sync~spin)",
  loading: "$(loading~spin)",
  warning: "$(warning)",
  error: "$(error)",
  off: "$(circle-slash)",
};

const stages: Record<GenerationStatus["stage"], string> = {
  "by rule": "writing by rule",
  reading: "reading the specification",
  reasoning: "reasoning",
  writing: "writing",
  checking: "checking",
  repairing: "repairing",
};

/** One line on a running generation, e.g. `candidate 1 of 2, repairing (round 1), 812 tokens`. */
export function describeGeneration(generation: GenerationStatus): string {
  if (generation.candidates === 0) return stages[generation.stage];
  const round = generation.stage === "repairing" && generation.round > 0 ? ` (round ${generation.round})` : "";
  return `candidate ${generation.candidate} of ${generation.candidates}, ${stages[generation.stage]}${round}, ${generation.tokens} tokens`;
}

/** A figure with what it is, e.g. `add_custom: 12.50 us, measured on Ascend910B1 (median)`, and the runner's notes on it. */
export function describeMeasurement(measured: Extract<Measurement, { entry: string }>): string {
  const figure = `${measured.entry}: ${measured.medianUs.toFixed(2)} us, ${measured.kind}${measured.chip ? ` on ${measured.chip}` : ""} (median)`;
  return [figure, ...(measured.warnings ?? []).map((warning) => `note: ${warning}`)].join("; ");
}

function describeModel(role: string, model: ModelStatus): string {
  const speed =
    model.decode > 0
      ? `; measured here: ${model.prefill.toFixed(0)} tokens/s read, ${model.decode.toFixed(0)} tokens/s written`
      : "";
  const starter = model.starter ? " (starter model)" : "";
  const loading = model.state === "loading" && model.progress > 0 ? ` ${Math.round(model.progress * 100)} %` : "";
  return `${role}: ${model.name || "none"}${starter}, ${model.state}${loading}${speed}${model.detail ? `. ${model.detail}` : ""}`;
}

/** The status-bar item for a status; `undefined` before the server has said anything. */
export function present(status: ServerStatus | undefined): Presentation {
  if (status === undefined) {
    return { text: "$(loading~spin) KernelGen", tooltip: "kernelgen-ls is starting", severity: "none" };
  }
  const lines = [status.detail].filter((line) => line !== "");
  if (status.model) lines.push(describeModel("Model", status.model));
  if (status.generationModel) lines.push(describeModel("Model for generation", status.generationModel));
  if (status.checker)
    lines.push(`Checker: ${status.checker.state}${status.checker.detail ? `. ${status.checker.detail}` : ""}`);
  for (const runner of status.runners) {
    lines.push(`Runner ${runner.name}: ${runner.state}${runner.detail ? `. ${runner.detail}` : ""}`);
  }
  if (status.generation) lines.push(`${status.generation.title}: ${describeGeneration(status.generation)}`);
  if (!status.completion.enabled) lines.push("Completions are paused.");
  const paused = status.state === "ready" && !status.completion.enabled;
  return {
    text: `${paused ? "$(debug-pause)" : icons[status.state]} ${status.message || "KernelGen"}`,
    tooltip: lines.join("\n\n"),
    severity: status.state === "error" ? "error" : status.state === "warning" ? "warning" : "none",
  };
}
