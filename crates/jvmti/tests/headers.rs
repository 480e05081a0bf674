//! Every function must be called through the slot that the JDK's own headers give it.

use std::mem::offset_of;
use std::path::PathBuf;
use std::{env, fs};

use jury_jvmti::raw::{
    CAN_RETRANSFORM_CLASSES, EventCallbacks, InvokeFunctions, JniFunctions, JvmtiFunctions,
};

/// The `include` directories of the JDKs named by `JURY_JDKS`, `JAVA_HOME` and the path.
fn include_directories() -> Vec<PathBuf> {
    let listed = env::var_os("JURY_JDKS").unwrap_or_default();
    let on_path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&listed)
        .chain(env::var_os("JAVA_HOME").map(PathBuf::from))
        .chain(env::split_paths(&on_path).filter_map(|directory| {
            let java = fs::canonicalize(directory.join("java")).ok()?;
            Some(java.parent()?.parent()?.to_owned())
        }))
        .map(|home| home.join("include"))
        .filter(|include| include.join("jvmti.h").is_file())
        .collect()
}

/// The names of a C structure's members, in order.
fn members(header: &str, begin: &str, end: &str) -> Vec<String> {
    let body = header
        .split(begin)
        .nth(1)
        .unwrap()
        .split(end)
        .next()
        .unwrap();
    let mut code = String::new();
    for (at, piece) in body.split("/*").enumerate() {
        code.push_str(if at == 0 {
            piece
        } else {
            piece.split("*/").nth(1).unwrap()
        });
    }
    code.split(';')
        .map(str::trim)
        .filter(|declaration| !declaration.is_empty())
        .map(|declaration| {
            let named = match declaration.split_once("JNICALL *") {
                Some((_, function)) => function.split(')').next().unwrap(),
                None => declaration.split_whitespace().last().unwrap(),
            };
            named.trim_start_matches('*').to_owned()
        })
        .collect()
}

fn check(members: &[String], expected: &[(&str, usize)]) {
    for (name, offset) in expected {
        let position = members.iter().position(|member| member == name);
        assert_eq!(position, Some(offset / size_of::<usize>()), "{name}");
    }
}

#[test]
fn slots_are_those_of_the_headers() {
    for include in include_directories() {
        let jni = fs::read_to_string(include.join("jni.h")).unwrap();
        let jvmti = fs::read_to_string(include.join("jvmti.h")).unwrap();
        check(
            &members(&jni, "struct JNIInvokeInterface_ {", "\n};"),
            &[("GetEnv", offset_of!(InvokeFunctions, get_env))],
        );
        check(
            &members(&jni, "struct JNINativeInterface_ {", "\n};"),
            &[
                ("FindClass", offset_of!(JniFunctions, find_class)),
                ("ExceptionClear", offset_of!(JniFunctions, exception_clear)),
                (
                    "GetStaticMethodID",
                    offset_of!(JniFunctions, get_static_method_id),
                ),
                (
                    "CallStaticVoidMethodA",
                    offset_of!(JniFunctions, call_static_void_method_a),
                ),
                ("GetArrayLength", offset_of!(JniFunctions, get_array_length)),
                ("NewByteArray", offset_of!(JniFunctions, new_byte_array)),
                (
                    "GetByteArrayRegion",
                    offset_of!(JniFunctions, get_byte_array_region),
                ),
                (
                    "SetByteArrayRegion",
                    offset_of!(JniFunctions, set_byte_array_region),
                ),
                (
                    "RegisterNatives",
                    offset_of!(JniFunctions, register_natives),
                ),
                ("GetJavaVM", offset_of!(JniFunctions, get_java_vm)),
                ("ExceptionCheck", offset_of!(JniFunctions, exception_check)),
            ],
        );
        check(
            &members(&jvmti, "typedef struct jvmtiInterface_1_ {", "\n}"),
            &[
                (
                    "SetEventNotificationMode",
                    offset_of!(JvmtiFunctions, set_event_notification_mode),
                ),
                ("Allocate", offset_of!(JvmtiFunctions, allocate)),
                ("Deallocate", offset_of!(JvmtiFunctions, deallocate)),
                (
                    "SetEventCallbacks",
                    offset_of!(JvmtiFunctions, set_event_callbacks),
                ),
                (
                    "DisposeEnvironment",
                    offset_of!(JvmtiFunctions, dispose_environment),
                ),
                (
                    "GetSystemProperty",
                    offset_of!(JvmtiFunctions, get_system_property),
                ),
                ("GetPhase", offset_of!(JvmtiFunctions, get_phase)),
                (
                    "AddCapabilities",
                    offset_of!(JvmtiFunctions, add_capabilities),
                ),
                (
                    "RetransformClasses",
                    offset_of!(JvmtiFunctions, retransform_classes),
                ),
                (
                    "AddToBootstrapClassLoaderSearch",
                    offset_of!(JvmtiFunctions, add_to_bootstrap_class_loader_search),
                ),
            ],
        );
        let callbacks = jvmti.split("Event Callback Structure").nth(1).unwrap();
        check(
            &members(callbacks, "typedef struct {", "}"),
            &[
                ("VMInit", offset_of!(EventCallbacks, vm_init)),
                ("VMDeath", offset_of!(EventCallbacks, vm_death)),
                (
                    "ClassFileLoadHook",
                    offset_of!(EventCallbacks, class_file_load_hook),
                ),
            ],
        );
    }
}

#[test]
fn the_capability_has_the_place_that_the_headers_give_it() {
    for include in include_directories() {
        let jvmti = fs::read_to_string(include.join("jvmti.h")).unwrap();
        let place = jvmti
            .split("typedef struct {")
            .find(|body| body.contains("can_retransform_classes"))
            .unwrap()
            .split(';')
            .position(|member| member.contains("can_retransform_classes"));
        assert_eq!(place, Some(CAN_RETRANSFORM_CLASSES));
    }
}
