import { openSdkServer } from "../support/sdk-server.ts";
import { testSdkSession } from "../support/sdk-session.ts";

testSdkSession(openSdkServer);
