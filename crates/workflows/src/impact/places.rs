//! Where a project's class files are: on the class paths of its test JVMs, or where its build tool
//! would put them.

use std::path::{Path, PathBuf};

use jury_project::Project;
use jury_store::{DATABASE, Store};

use crate::WorkflowError;

/// Where build tools leave classes, seen from a module's directory.
const OUTPUT: [&str; 12] = [
    "target/classes",
    "target/test-classes",
    "build/classes/java/main",
    "build/classes/java/test",
    "build/classes/kotlin/main",
    "build/classes/kotlin/test",
    "build/classes/groovy/main",
    "build/classes/groovy/test",
    "build/classes/scala/main",
    "build/classes/scala/test",
    "build/resources/main",
    "out",
];

/// Directories with the project's own classes, each once, in the order of the first class path
/// they are on.
pub(super) fn own_places(root: &Path, state_dir: &Path) -> Result<Vec<PathBuf>, WorkflowError> {
    let seen = class_paths(root, state_dir)?;
    let mut places: Vec<PathBuf> = Vec::new();
    let mut add = |place: PathBuf| {
        if place.is_dir() && !places.contains(&place) {
            places.push(place);
        }
    };
    seen.into_iter().for_each(&mut add);
    // Modules without tests of their own may be on no class path.
    if let Ok(project) = Project::discover(root) {
        output_places(&project).for_each(&mut add);
    }
    Ok(places)
}

/// Where the build tool of a project would leave classes, whether there are any or not.
pub(crate) fn output_places(project: &Project) -> impl Iterator<Item = PathBuf> {
    let modules = project.modules().iter();
    modules.flat_map(|module| OUTPUT.map(|output| module.directory.join(output)))
}

/// Jars on the class paths of the test JVMs.
pub(super) fn libraries(root: &Path, state_dir: &Path) -> Result<Vec<PathBuf>, WorkflowError> {
    let mut jars: Vec<PathBuf> = class_paths(root, state_dir)?;
    jars.retain(|path| path.is_file());
    jars.sort();
    jars.dedup();
    Ok(jars)
}

fn class_paths(root: &Path, state_dir: &Path) -> Result<Vec<PathBuf>, WorkflowError> {
    if !state_dir.join(DATABASE).exists() {
        return Ok(Vec::new());
    }
    let recipes = Store::open(state_dir)?.recipes(root)?;
    let paths = recipes.into_iter().flat_map(|stored| {
        stored
            .recipe
            .module_path
            .into_iter()
            .chain(stored.recipe.class_path)
    });
    Ok(paths.map(PathBuf::from).collect())
}
