import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TELEPHONE_RATE_HZ } from "@parley/audio/frame";
import type { SampleRateHz } from "@parley/audio/resample-filter";
import { TEST_CERTIFICATE, TEST_KEY } from "@parley/telephony/sip/testing/test-certificate";
import { freePorts } from "@parley/telephony/testing/free-ports";
import { changeRate } from "../audio/change-rate.ts";
import { writeWav } from "../audio/write-wav.ts";
import { type BaresipControl, openBaresipControl } from "./baresip-control.ts";
import { type BaresipRecordings, baresipRecordings } from "./baresip-recordings.ts";
import { followProcess } from "./followed-process.ts";

export interface BaresipOptions {
  readonly name?: string;
  readonly transport?: "udp" | "tcp" | "tls";
  readonly codecs?: readonly (keyof typeof CODECS)[];
  /** As baresip calls it: `srtp` accepts encryption, `srtp-mand` insists on it. */
  readonly encryption?: "srtp" | "srtp-mand" | null;
  /** What the callee says from the moment of the answer; 8 kHz. */
  readonly says: Int16Array;
  /** `auto` answers immediately, `manual` rings until the control accepts. */
  readonly answers?: "auto" | "manual";
  /** The proxy where it registers and through which it is reached; without one it is called directly. */
  readonly registrar?: { readonly port: number; readonly domain: string; readonly password: string } | null;
}

export interface Baresip extends BaresipControl {
  /** The port for its transport. */
  readonly port: number;
  /** `sip:name@127.0.0.1:port`, as another phone would dial it. */
  readonly uri: string;
  readonly recordings: BaresipRecordings;
  readonly log: () => string;
  /** Resolves when its log says so. */
  logged(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Kills it without a goodbye. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** As baresip names them: with the rate of the audio, which for G.722 is not that of RTP. */
const CODECS = {
  PCMU: { name: "PCMU/8000", rateHz: 8_000 },
  PCMA: { name: "PCMA/8000", rateHz: 8_000 },
  G722: { name: "G722/16000", rateHz: 16_000 },
  OPUS: { name: "opus/48000/2", rateHz: 48_000 },
};

/** TLS is always one above UDP and TCP; the block leaves room for the audio of eight calls. */
const PORTS = { sip: 0, tls: 1, control: 2, audio: 4, count: 20 };

/** Trunks are dialed by number, and a telephone answers only to its own name. */
const CALLEE_NAME = "+15550001";
const SILENCE_S = 60;

/** Starts a telephone that plays a recording and records what it hears. */
export async function startBaresip(options: BaresipOptions): Promise<Baresip> {
  const folder = await mkdtemp(join(tmpdir(), "parley-baresip-"));
  const ports = await freePorts(PORTS.count);
  const recordingFolder = join(folder, "heard");
  await mkdir(recordingFolder);
  const rateHz = Math.max(...(options.codecs ?? ["PCMU"]).map((codec) => CODECS[codec].rateHz)) as SampleRateHz;
  await writeFile(
    join(folder, "voice.wav"),
    writeWav(withSilence(changeRate(options.says, TELEPHONE_RATE_HZ, rateHz), rateHz), rateHz),
  );
  await writeFile(join(folder, "certificate.pem"), `${TEST_KEY}${TEST_CERTIFICATE}`);
  await writeFile(join(folder, "config"), configuration(folder, recordingFolder, ports, rateHz));
  await writeFile(join(folder, "accounts"), `${account(options, ports)}\n`);
  await writeFile(join(folder, "contacts"), "");
  const child = followProcess({ program: "baresip", args: ["-f", folder, "-v"], cwd: folder });
  const stop = async () => {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await child.printed(options.registrar ? /200 OK.*\[1 binding\]/ : /baresip is ready/);
    const control = await openBaresipControl(ports + PORTS.control);
    const { name = CALLEE_NAME, transport = "udp" } = options;
    const port = ports + (transport === "tls" ? PORTS.tls : PORTS.sip);
    return {
      ...control,
      port,
      uri: `sip:${name}@127.0.0.1:${port}${transport === "udp" ? "" : `;transport=${transport}`}`,
      recordings: baresipRecordings(recordingFolder),
      log: child.output,
      logged: child.printed,
      kill: child.kill,
      async stop() {
        control.close();
        await stop();
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** It hangs up when its recording is over, so the recording outlasts every test. */
function withSilence(samples: Int16Array, rateHz: number): Int16Array {
  const longer = new Int16Array(samples.length + SILENCE_S * rateHz);
  longer.set(samples);
  return longer;
}

function account(options: BaresipOptions, ports: number): string {
  const { name = CALLEE_NAME, transport = "udp", codecs = ["PCMU", "PCMA"], encryption = null, registrar } = options;
  const place = registrar ? registrar.domain : `127.0.0.1:${ports + PORTS.sip};transport=${transport}`;
  const registering = registrar
    ? [
        `auth_user=${name}`,
        `auth_pass=${registrar.password}`,
        `outbound="sip:127.0.0.1:${registrar.port};transport=${transport}"`,
        "regint=60",
      ]
    : ["regint=0"];
  return [
    `<sip:${name}@${place}>`,
    ...registering,
    `answermode=${options.answers ?? "auto"}`,
    `audio_codecs=${codecs.map((codec) => CODECS[codec].name).join(",")}`,
    ...(encryption === null ? [] : [`mediaenc=${encryption}`]),
  ].join(";");
}

/** No jitter buffer: the recording must show every packet as it arrived, and only those. */
function configuration(folder: string, recordingFolder: string, ports: number, rateHz: number): string {
  return [
    "net_interface 127.0.0.1",
    `sip_listen 127.0.0.1:${ports + PORTS.sip}`,
    `sip_certificate ${join(folder, "certificate.pem")}`,
    "call_max_calls 8",
    `audio_source aufile,${join(folder, "voice.wav")}`,
    `ausrc_srate ${rateHz}`,
    `auplay_srate ${rateHz}`,
    "ausrc_channels 1",
    "auplay_channels 1",
    "audio_buffer 20-160",
    "audio_jitter_buffer_type off",
    `rtp_ports ${ports + PORTS.audio}-${ports + PORTS.count - 1}`,
    "module_path /usr/lib/baresip/modules",
    "module g711.so",
    "module g722.so",
    "module opus.so",
    "module aufile.so",
    "module sndfile.so",
    `snd_path ${recordingFolder}`,
    "module srtp.so",
    "module_app account.so",
    "module_app menu.so",
    "module_app ctrl_tcp.so",
    `ctrl_tcp_listen 127.0.0.1:${ports + PORTS.control}`,
    "ring_aufile none",
    "",
  ].join("\n");
}
